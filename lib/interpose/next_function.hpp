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

  // Null where no library behind this one has it. Asks the loader, the first time: a worker that
  // did so while a constructor's region waits for it, under the loader's lock, would wait for ever.
  // So each is asked for when the library starts (find_early).
  Function* get() {
    Function* found = known();
    if (found == nullptr) {
      found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      function_.store(found, std::memory_order_release);
    }
    return found;
  }

  // What get() has found, if it has been called; never asks.
  Function* known() const { return function_.load(std::memory_order_acquire); }

 private:
  const char* name_;
  std::atomic<Function*> function_{nullptr};
};

template <typename... Functions>
void find_early(NextFunction<Functions>&... functions) {
  (functions.get(), ...);
}

}  // namespace nestbind
