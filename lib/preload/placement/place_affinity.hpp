// SPDX-License-Identifier: BSD-3-Clause
// The values that our hooks of OpenMP's affinity functions report for the calling thread.
#pragma once

#include "omp/calls.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::placement {

// Writes to `text` the affinity format that a runtime gets instead of `format`. Null or empty means
// the runtime's own format. In the new format, the thread's processors are the kernel's mask of the
// thread (in a dry run, the recorder's mask). Returns false if this mask is not known.
bool affinity_format(const omp::Calls& runtime, const char* format, support::TextBuffer& text);

// Returns the first of the runtime's places that contains all processors of the thread, or -1.
int affinity_place(const omp::Calls& runtime);

// Whether the thread is a bound member of a team. If so, affinity_place() is its only OpenMP place.
bool is_bound_member();

}  // namespace nestbind::placement
