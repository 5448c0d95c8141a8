// SPDX-License-Identifier: BSD-3-Clause
// What OpenMP's own affinity interface reports for the calling thread. Used by its hooks.
#pragma once

#include "omp/calls.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::placement {

// Writes the affinity format that a runtime gets instead of `format` (null or empty: the runtime's
// own format). The new format shows the thread's processors as in the kernel (in a dry run: the
// recorder). Returns false if they are not known.
bool affinity_format(const omp::Calls& runtime, const char* format, support::TextBuffer& text);

// The first of a runtime's places that contains all processors of the thread; -1: none.
int affinity_place(const omp::Calls& runtime);

// Whether the thread is a bound member of a team. If so, affinity_place() is its only place.
bool is_bound_member();

}  // namespace nestbind::placement
