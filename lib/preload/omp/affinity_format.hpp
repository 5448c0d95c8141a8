// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mask/cpu_mask.hpp"
#include "support/text_buffer.hpp"

namespace nestbind::omp {

// Adds an affinity format (OpenMP 5.0, 6.4) to `text`, with a list of these processors in place of
// each field for the thread's affinity, as wide as the field. What is no such field stays as it is,
// also what a runtime will object to.
//
// pairs_are_ranges: "0-1", as GCC's runtime writes, and not "0,1", as LLVM's.
void add_format(const char* format, const mask::CpuMask& cpus, bool pairs_are_ranges,
                support::TextBuffer& text);

}  // namespace nestbind::omp
