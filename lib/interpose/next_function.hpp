// SPDX-License-Identifier: BSD-3-Clause
// The function of the same name that ours stands before.
#pragma once

#include <dlfcn.h>

#include <atomic>

namespace nestbind {

#define NESTBIND_INTERPOSE extern "C" __attribute__((visibility("default")))

// One for each function, static and constant-initialised: hooks run before constructors.
template <typename Function>
class NextFunction {
 public:
  explicit constexpr NextFunction(const char* name) : name_(name) {}

  // Null where no library behind this one has it.
  Function* get() {
    Function* known = function_.load(std::memory_order_acquire);
    if (known == nullptr) {
      known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      function_.store(known, std::memory_order_release);
    }
    return known;
  }

 private:
  const char* name_;
  std::atomic<Function*> function_{nullptr};
};

}  // namespace nestbind
