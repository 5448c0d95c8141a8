// SPDX-License-Identifier: BSD-3-Clause
// The way on for hooks where nobody wants loops to be shared: one load and a jump.
#pragma once

#include <atomic>

#include "instrument/kmpc/kmpc_runtime.hpp"

namespace nestbind::kmpc {

// The runtime's own function of each entry; null: what is to be done has to be found out.
extern std::atomic<void*> g_straight[kEntryCount];

template <typename Function>
Function* straight(int entry) {
  return reinterpret_cast<Function*>(g_straight[entry].load(std::memory_order_relaxed));
}

// Whether loops are or have been wanted. Written in straight.cpp alone.
extern std::atomic<bool> g_was_wanted;

// runtime_of_call, where that is not plain.
const Runtime* find_runtime_of_call(int entry, const void* caller);

// The runtime that a call belongs to, null where there is none. From now on hooks of this entry go
// straight on, if they may: where nobody has wanted loops to be shared yet. (Later a thread may be
// in a loop of ours.)
inline const Runtime* runtime_of_call(int entry, const void* caller) {
  const Runtime* const global = global_runtime();
  if (global != nullptr && !has_own_copies() && g_was_wanted.load(std::memory_order_relaxed)) {
    return global;
  }
  return find_runtime_of_call(entry, caller);
}

}  // namespace nestbind::kmpc
