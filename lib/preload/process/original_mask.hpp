// SPDX-License-Identifier: BSD-3-Clause
// The process's mask: its mask at the start, or the last mask that was set on purpose (see
// lib/preload/placement/purpose.hpp). It is never a mask from nestbind or from a runtime.
#pragma once

#include <cstddef>

#include "mask/cpu_mask.hpp"

namespace nestbind::process {

// The first call remembers the calling thread's mask as the mask at the start. Must be called
// before an OpenMP runtime narrows the initial thread's mask.
void learn_original_mask();

// Sets the process's mask. Only for one thread at a time. Returns false if there is no memory.
bool change_original_mask(const mask::CpuMask& mask);

// The present mask; no bits: not known. The bits are shared by equal masks, and never move.
mask::CpuMask original_mask();

// A copy of the mask. Its bits stay at their address, and equal masks have the same address. No
// bits: there is no memory. Only for one thread at a time.
mask::CpuMask kept_mask(const mask::CpuMask& mask);

// Writes the process's mask as sched_getaffinity would. False: it is not known, or does not fit.
bool read_original_mask(void* mask, std::size_t bytes);

}  // namespace nestbind::process
