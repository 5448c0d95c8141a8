// SPDX-License-Identifier: BSD-3-Clause
// The function of the same name in the library behind: another POMP library keeps its events.
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstddef>

#define NESTBIND_POMP extern "C" __attribute__((visibility("default")))

namespace nestbind::pomp {

// A function's name as a template argument.
template <std::size_t N>
struct Name {
  constexpr Name(const char (&name)[N]) {
    for (std::size_t i = 0; i < N; ++i) {
      text[i] = name[i];
    }
  }
  char text[N] = {};
};

// Stands for "looked for, and there is none".
inline void no_function() {}

// The next function of this name and type; null where no library behind has it. Asks the loader
// once: most instrumented programs have no other library.
template <Name kName, typename Function>
Function* next_function() {
  static constinit std::atomic<void (*)()> known{nullptr};
  void (*function)() = known.load(std::memory_order_acquire);
  if (function == nullptr) {
    function = reinterpret_cast<void (*)()>(dlsym(RTLD_NEXT, kName.text));
    function = function == nullptr ? no_function : function;
    known.store(function, std::memory_order_release);
  }
  return function == no_function ? nullptr : reinterpret_cast<Function*>(function);
}

// Calls the next function of this name. Returns whether there is one.
template <Name kName, typename... Arguments>
bool hand_on(Arguments... arguments) {
  auto* next = next_function<kName, void(Arguments...)>();
  if (next != nullptr) {
    next(arguments...);
  }
  return next != nullptr;
}

}  // namespace nestbind::pomp
