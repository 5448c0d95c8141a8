// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes that have started in this process.
#pragma once

#include <stdint.h>

#include "omp/calls.hpp"

namespace nestbind::omp {

// Reports each runtime to the listeners once.
void note_started(const Calls& runtime);

// The thread that starts a runtime calls `started` once, before the runtime's first fork. If a
// runtime has already started, add() calls `started`. add() is not thread-safe.
struct StartListener {
  void (*started)(const Calls& runtime) = nullptr;
  StartListener* next = nullptr;
};
void add(StartListener& listener);

// Returns the runtime with this index (from 0, in the order of their starts), or null.
const Calls* started(int index);

// Two sources may have two Calls objects for one runtime. Returns the object that was noted first.
// If no object was noted, returns `runtime`.
const Calls& known(const Calls& runtime);

bool is_in_runtime(uintptr_t code);

}  // namespace nestbind::omp
