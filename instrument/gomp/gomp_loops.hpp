// SPDX-License-Identifier: BSD-3-Clause
// A fast path for hooks of loops if no loop is to be shared: one load and a jump to the runtime.
#pragma once

#include <atomic>
#include <iterator>

#include "instrument/gomp/gomp_runtime.hpp"
#include "worksharing/schedule_in_force.hpp"

namespace nestbind::gomp {

// The runtime's function to which each entry jumps. If the function is null, the hook decides what
// to do.
extern std::atomic<void*> g_straight[std::size(kLoopEntries)];

template <typename Function>
Function* straight(int entry) {
  return reinterpret_cast<Function*>(g_straight[entry].load(std::memory_order_relaxed));
}

const Runtime* find_runtime_of_call(int entry, const void* caller, const Runtime* known);

// If `known` is null, finds the runtime that the caller uses. The result may be null.
inline const Runtime* runtime_of_call(int entry, const void* caller,
                                      const Runtime* known = nullptr) {
  worksharing::start();
  const Runtime* const global = global_runtime();
  if (global != nullptr && !some_modules_are_known() && worksharing::is_wanted()) {
    return global;
  }
  return find_runtime_of_call(entry, caller, known);
}

}  // namespace nestbind::gomp
