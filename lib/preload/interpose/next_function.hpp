// SPDX-License-Identifier: BSD-3-Clause
// Standing before a function of another library: ours has its name, and hands on to the next.
#pragma once

#include <atomic>

namespace nestbind::interpose {

#define NESTBIND_INTERPOSE extern "C" __attribute__((visibility("default")))

// The function that stands behind ours of this name: in the next library that has it. Null where
// there is none. Asks the loader.
void* find_next(const char* name);

// The next function of a name. Constant-initialised: hooks run before constructors.
class NextFunction {
 public:
  explicit constexpr NextFunction(const char* name) : name_(name) {}

  // Null where no library behind this one has it. Asks the loader, the first time: a worker that
  // did so while a constructor's region waits for it, under the loader's lock, would wait for ever,
  // and in a signal handler it cannot be asked at all. So each is asked for when the library
  // starts.
  void* get() {
    void* found = known();
    return found != nullptr ? found : look();
  }

  // Asks the loader.
  void* look() {
    void* found = find_next(name_);
    if (found != nullptr) {
      function_.store(found, std::memory_order_release);
    }
    return found;
  }

  // As get(), of a function that somebody can do without: where there is none, asks only once.
  void* get_if_any() {
    void* found = get();
    if (found == nullptr) {
      found = this;
      function_.store(found, std::memory_order_release);
    }
    return found == this ? nullptr : found;
  }

  // What get() has found, if it has been called; never asks.
  void* known() const { return function_.load(std::memory_order_acquire); }

 private:
  const char* name_;
  std::atomic<void*> function_{nullptr};
};

// The record of the next function with this name, inside the one function that stands before it.
// All of them lie in a section of their own, so that they can be found without being listed.
#define NESTBIND_NEXT_RECORD(function)                              \
  ([]() -> nestbind::interpose::NextFunction& {                     \
    static constinit nestbind::interpose::NextFunction next         \
        __attribute__((used, section("nestbind_next"))){#function}; \
    return next;                                                    \
  }())

// The next function itself: NESTBIND_NEXT(nice)(change).
#define NESTBIND_NEXT(function) \
  (reinterpret_cast<decltype(&::function)>(NESTBIND_NEXT_RECORD(function).get()))

// The same of a function that few programs call, and none in a signal handler: it is looked for
// when it is called, and a start asks the loader nothing for it.
#define NESTBIND_NEXT_WHEN_CALLED(function)                                       \
  (reinterpret_cast<decltype(&::function)>([]() -> void* {                        \
    static constinit nestbind::interpose::NextFunction next_if_called{#function}; \
    return next_if_called.get_if_any();                                           \
  }()))

}  // namespace nestbind::interpose
