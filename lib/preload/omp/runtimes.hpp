// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes that have started in this process.
#pragma once

#include <stdint.h>

#include "omp/calls.hpp"

namespace nestbind::omp {

// Reports each runtime to the listeners once.
void note_started(const Calls& runtime);

// `started` is called once for each runtime, before the runtime's first fork. The call is on the
// thread that starts the runtime. For runtimes that have already started, add() calls `started`.
// add() is not thread-safe.
struct StartListener {
  void (*started)(const Calls& runtime) = nullptr;
  StartListener* next = nullptr;
};
void add(StartListener& listener);

// Returns the runtime with this index (from 0, in the order of their starts), or null.
const Calls* started(int index);

// Each source may have its own record of a runtime. Returns the first of these records, so that all
// sources use the same record. If there is none, returns `runtime`.
const Calls& known(const Calls& runtime);

bool is_in_runtime(uintptr_t code);

}  // namespace nestbind::omp
