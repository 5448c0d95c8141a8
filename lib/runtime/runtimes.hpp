// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes that have started in this process.
#pragma once

#include <stdint.h>

#include "runtime/fork.hpp"

namespace nestbind::runtime {

// Remembers a runtime, and where its code is.
void note_started(const OmpCalls& omp);

// The runtimes that have started, in order; null beyond the last.
const OmpCalls* started_runtime(int index);

// Whether some code is that of a started runtime, and not the program's own.
bool is_in_runtime(uintptr_t code);

}  // namespace nestbind::runtime
