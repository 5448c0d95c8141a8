// SPDX-License-Identifier: BSD-3-Clause
// A fast path for hooks if no loop is to be shared: one load and a jump to the runtime.
#pragma once

#include <atomic>

#include "instrument/kmpc/kmpc_runtime.hpp"

namespace nestbind::kmpc {

// The runtime's function to which each entry jumps. If it is null, the hook decides what to do.
extern std::atomic<void*> g_straight[kEntryCount];

template <typename Function>
Function* straight(int entry) {
  return reinterpret_cast<Function*>(g_straight[entry].load(std::memory_order_relaxed));
}

extern std::atomic<bool> g_was_wanted;

const Runtime* find_runtime_of_call(int entry, const void* caller);

// Returns the caller's runtime, or null. Opens the entry's fast path if we never shared loops.
// Otherwise this path stays closed, because a thread may be in a loop that we share.
inline const Runtime* runtime_of_call(int entry, const void* caller) {
  const Runtime* const global = global_runtime();
  if (global != nullptr && !has_own_copies() && g_was_wanted.load(std::memory_order_relaxed)) {
    return global;
  }
  return find_runtime_of_call(entry, caller);
}

}  // namespace nestbind::kmpc
