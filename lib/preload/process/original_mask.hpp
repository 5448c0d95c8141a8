// SPDX-License-Identifier: BSD-3-Clause
// The mask of the process: the one that it was started with, or that somebody has set since on
// purpose (lib/preload/placement/purpose.hpp says what counts). Never one that we or an OpenMP
// runtime made.
#pragma once

#include <cstddef>

#include "mask/cpu_mask.hpp"

namespace nestbind::process {

// The calling thread still has the mask that the process was started with: remembers it, the first
// time. An OpenMP runtime is about to narrow the initial thread.
void learn_original_mask();

// From now on this is the process's mask. Not by two threads at a time. Returns false without
// memory; then nothing has changed.
bool change_original_mask(const mask::CpuMask& mask);

// The present one. What it has returned once stays there: equal masks are at one address. No bits
// if it is not known.
mask::CpuMask original_mask();

// The same mask where it stays: equal masks are at one address. No bits without memory. Not by two
// threads at a time.
mask::CpuMask kept_mask(const mask::CpuMask& mask);

// Writes it into `bytes` bytes, as sched_getaffinity would. Returns false where it is not known or
// does not fit.
bool read_original_mask(void* mask, std::size_t bytes);

}  // namespace nestbind::process
