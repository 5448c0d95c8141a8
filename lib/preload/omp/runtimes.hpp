// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes that have started in this process.
#pragma once

#include <stdint.h>

#include "omp/calls.hpp"

namespace nestbind::omp {

// Remembers a runtime and the addresses of its code. Reports each runtime to the listeners once.
void note_started(const Calls& runtime);

// `started` is called for each runtime, before the runtime's first fork, on the thread that starts
// the runtime. For runtimes that have already started, add() calls `started`. Listeners are never
// removed. Call add() only at start-up, because it is not thread-safe.
struct StartListener {
  void (*started)(const Calls& runtime) = nullptr;
  StartListener* next = nullptr;  // written by add()
};
void add(StartListener& listener);

// Returns the runtime with this index (from 0, in the order of their starts), or null if there are
// fewer runtimes.
const Calls* started(int index);

// Returns the record that was noted first for the same runtime, by any source, or `runtime` if no
// record was noted. A fork begins with this record, so that all sources use the same team sizes.
const Calls& known(const Calls& runtime);

// Whether this code belongs to a runtime that has started.
bool is_in_runtime(uintptr_t code);

}  // namespace nestbind::omp
