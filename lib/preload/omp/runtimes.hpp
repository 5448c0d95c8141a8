// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes that have started in this process.
#pragma once

#include <stdint.h>

#include "omp/calls.hpp"

namespace nestbind::omp {

// Remembers a runtime, and where its code is. One that is remembered already is not told again.
void note_started(const Calls& runtime);

// Who wants to know of each runtime that starts, on the thread that starts it: before the runtime
// forks. Told at once of those that have started. It stays. For start-up, not thread-safe.
struct StartListener {
  void (*started)(const Calls& runtime) = nullptr;
  StartListener* next = nullptr;  // written here
};
void add(StartListener& listener);

// Those that have started, in order; null beyond the last.
const Calls* started(int index);

// The calls under which the same runtime has started, from whatever source; `runtime` itself, if it
// has not. A fork begins with these, so that the sizes that a thread has got from one source count
// for all.
const Calls& known(const Calls& runtime);

// Whether some code is that of a started runtime, and not the program's own.
bool is_in_runtime(uintptr_t code);

}  // namespace nestbind::omp
