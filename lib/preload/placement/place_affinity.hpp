// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "omp/calls.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::placement {

// Copies `format`, but replaces the field "%A" by the thread's real processors. If `format` is null
// or empty, copies the runtime's own format.
bool affinity_format(const omp::Calls& runtime, const char* format, support::TextBuffer& text);

// Returns the first of the runtime's places that contains all processors of the thread, or -1.
int affinity_place(const omp::Calls& runtime);

bool is_bound_member();

}  // namespace nestbind::placement
