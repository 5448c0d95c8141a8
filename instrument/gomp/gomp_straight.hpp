// SPDX-License-Identifier: BSD-3-Clause
// The way on for hooks of loops where nobody wants loops to be shared: one load and a jump.
#pragma once

#include <atomic>
#include <iterator>

#include "instrument/gomp/gomp_modules.hpp"
#include "instrument/gomp/gomp_runtime.hpp"
#include "worksharing/schedule_in_force.hpp"

namespace nestbind::gomp {

// The runtime's own function of each entry; null: what is to be done has to be found out.
extern std::atomic<void*> g_straight[std::size(kLoopEntries)];

template <typename Function>
Function* straight(int entry) {
  return reinterpret_cast<Function*>(g_straight[entry].load(std::memory_order_relaxed));
}

// runtime_of_call, where that is not plain.
const Runtime* find_runtime_of_call(int entry, const void* caller, const Runtime* known);

// The runtime that a call belongs to: `known`, where that is not null; of the module that has
// called; or, where a tail call has hidden that, of the region whose code we have called. Null
// where there is none. From now on hooks of this entry jump straight on, if they may.
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
