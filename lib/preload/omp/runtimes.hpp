// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes that have started in this process.
#pragma once

#include <stdint.h>

#include "omp/calls.hpp"

namespace nestbind::omp {

// Remembers a runtime and the addresses of its code. It is reported to listeners once.
void note_started(const Calls& runtime);

// A listener hears of each runtime, on the starting thread, before the runtime forks; of started
// ones at once. Never removed. For start-up; not thread-safe.
struct StartListener {
  void (*started)(const Calls& runtime) = nullptr;
  StartListener* next = nullptr;  // written by add()
};
void add(StartListener& listener);

// The runtimes that have started, in order; null: there are no more.
const Calls* started(int index);

// The calls under which the same runtime has started, from any source; `runtime` itself if it has
// not. A fork begins with these calls, so that sizes from one source count for all.
const Calls& known(const Calls& runtime);

// Whether this code belongs to a runtime that has started.
bool is_in_runtime(uintptr_t code);

}  // namespace nestbind::omp
