// SPDX-License-Identifier: BSD-3-Clause
// A hook is our function with the name of another library's function. The hook calls the other
// function.
#pragma once

#include <atomic>

namespace nestbind::interpose {

#define NESTBIND_INTERPOSE extern "C" __attribute__((visibility("default")))

// May return null.
void* find_next(const char* name);

// Constant-initialised, because hooks run before constructors.
class NextFunction {
 public:
  explicit constexpr NextFunction(const char* name) : name_(name) {}

  // Returns null if no later library has this function. Signal handlers and workers must not ask
  // the loader (module.hpp). So the library asks for all functions when it starts.
  void* get() {
    void* found = known();
    return found != nullptr ? found : look();
  }

  void* look() {
    void* found = find_next(name_);
    if (found != nullptr) {
      function_.store(found, std::memory_order_release);
    }
    return found;
  }

  // Like get(), but also remembers that the loader has not found the function.
  void* get_if_any() {
    void* found = get();
    if (found == nullptr) {
      found = this;
      function_.store(found, std::memory_order_release);
    }
    return found == this ? nullptr : found;
  }

  void* known() const { return function_.load(std::memory_order_acquire); }

 private:
  const char* name_;
  std::atomic<void*> function_{nullptr};
};

// Only the hook of this function may use this macro. All records are in one section of the library,
// so the library needs no list of records.
#define NESTBIND_NEXT_RECORD(function)                              \
  ([]() -> nestbind::interpose::NextFunction& {                     \
    static constinit nestbind::interpose::NextFunction next         \
        __attribute__((used, section("nestbind_next"))){#function}; \
    return next;                                                    \
  }())

// For example, our hook nice() calls the C library's nice() by NESTBIND_NEXT(nice)(change).
#define NESTBIND_NEXT(function) \
  (reinterpret_cast<decltype(&::function)>(NESTBIND_NEXT_RECORD(function).get()))

// Like NESTBIND_NEXT, but asks the loader at the first call. A signal handler must not call the
// hook.
#define NESTBIND_NEXT_WHEN_CALLED(function)                                       \
  (reinterpret_cast<decltype(&::function)>([]() -> void* {                        \
    static constinit nestbind::interpose::NextFunction next_if_called{#function}; \
    return next_if_called.get_if_any();                                           \
  }()))

}  // namespace nestbind::interpose
