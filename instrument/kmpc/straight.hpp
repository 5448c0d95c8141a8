// SPDX-License-Identifier: BSD-3-Clause
// The way on for hooks where nobody wants loops to be shared: one load and a jump.
#pragma once

#include <atomic>

#include "instrument/kmpc/runtime.hpp"

namespace nestbind::kmpc {

// The runtime's own function of each entry; null: what is to be done has to be found out.
extern std::atomic<void*> g_straight[kEntryCount];

template <typename Function>
Function* straight(int entry) {
  return reinterpret_cast<Function*>(g_straight[entry].load(std::memory_order_relaxed));
}

// The runtime that a call belongs to, null where there is none. From now on hooks of this entry go
// straight on, if they may: where nobody has wanted loops to be shared yet. (Later a thread may be
// in a loop of ours.)
const Runtime* runtime_of_call(int entry, const void* caller);

}  // namespace nestbind::kmpc
