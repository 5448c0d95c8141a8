// SPDX-License-Identifier: BSD-3-Clause
// The process's mask: its mask at the start, or the last mask that was set on purpose (see
// lib/preload/placement/purpose.hpp). Never one that we or an OpenMP runtime made.
#pragma once

#include <cstddef>

#include "mask/cpu_mask.hpp"

namespace nestbind::process {

// The first call remembers the calling thread's mask as the one at the start. To be called before
// an OpenMP runtime narrows the initial thread's mask.
void learn_original_mask();

// Makes this the process's mask. For one thread at a time. False: no memory, nothing changed.
bool change_original_mask(const mask::CpuMask& mask);

// The present mask; no bits: not known. Its bits stay at their address; equal masks share one.
mask::CpuMask original_mask();

// A copy of the mask whose bits stay at their address; equal masks have the same address. No bits:
// there is no memory. Not for two threads at a time.
mask::CpuMask kept_mask(const mask::CpuMask& mask);

// Writes the process's mask as sched_getaffinity would. False: it is not known, or does not fit.
bool read_original_mask(void* mask, std::size_t bytes);

}  // namespace nestbind::process
