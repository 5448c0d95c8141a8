// SPDX-License-Identifier: BSD-3-Clause
// The mask that the process was started with. Learnt once, never narrowed.
#pragma once

#include <cstddef>

#include "mask/cpu_mask.hpp"

namespace nestbind::process {

// The calling thread still has the mask that the process was started with: remembers it, the first
// time. An OpenMP runtime is about to narrow the initial thread.
void learn_original_mask();

// No bits if it is not known.
mask::CpuMask original_mask();

// Writes it into `bytes` bytes, as sched_getaffinity would. Returns false where it is not known or
// does not fit.
bool read_original_mask(void* mask, std::size_t bytes);

}  // namespace nestbind::process
