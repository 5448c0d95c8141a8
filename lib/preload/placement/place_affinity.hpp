// SPDX-License-Identifier: BSD-3-Clause
// What OpenMP's own affinity interface says of the calling thread: a door, after the functions
// that programs call.
#pragma once

#include "omp/calls.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::placement {

// Writes what a runtime is to be given as the affinity format, in place of this one (null or empty:
// its own), so that it tells the processors that the kernel (the recorder) has for the thread.
// Returns false where they are not known.
bool affinity_format(const omp::Calls& runtime, const char* format, support::TextBuffer& text);

// The first of a runtime's places that has all processors of the thread; -1: none.
int affinity_place(const omp::Calls& runtime);

// Whether the thread is a member of a team, bound: its places are then affinity_place() alone.
bool is_bound_member();

}  // namespace nestbind::placement
