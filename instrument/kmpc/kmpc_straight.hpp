// SPDX-License-Identifier: BSD-3-Clause
// The fast way for hooks if no loops are to be shared: one load and a jump to the runtime.
#pragma once

#include <atomic>

#include "instrument/kmpc/kmpc_runtime.hpp"

namespace nestbind::kmpc {

// The runtime's function of each entry; null: the hook must find out what to do.
extern std::atomic<void*> g_straight[kEntryCount];

template <typename Function>
Function* straight(int entry) {
  return reinterpret_cast<Function*>(g_straight[entry].load(std::memory_order_relaxed));
}

// Whether loops are, or ever were, wanted. Only kmpc_straight.cpp writes it.
extern std::atomic<bool> g_was_wanted;

// The slow part of runtime_of_call, out of line.
const Runtime* find_runtime_of_call(int entry, const void* caller);

// Opens the entry's fast way if no loops were ever wanted. Otherwise the fast way stays closed,
// because a thread may be in a loop. Null: no runtime.
inline const Runtime* runtime_of_call(int entry, const void* caller) {
  const Runtime* const global = global_runtime();
  if (global != nullptr && !has_own_copies() && g_was_wanted.load(std::memory_order_relaxed)) {
    return global;
  }
  return find_runtime_of_call(entry, caller);
}

}  // namespace nestbind::kmpc
