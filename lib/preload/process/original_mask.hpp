// SPDX-License-Identifier: BSD-3-Clause
// The process's mask: its mask at the start, or the last mask that was set on purpose (see
// lib/preload/owner/purpose.hpp). It is never a mask from nestbind or from a runtime.
#pragma once

#include "mask/cpu_mask.hpp"
#include "support/cgroup.hpp"

namespace nestbind::process {

// Remembers, at the first call, the calling thread's mask as the process's mask. Must be called
// before an OpenMP runtime narrows the initial thread's mask.
void learn_original_mask();

// Not thread-safe. Returns false if there is no memory.
bool change_original_mask(const mask::CpuMask& mask);

// Returns the process's mask, or no bits if it is not known. The bits are never freed.
mask::CpuMask original_mask();

// Returns the mask at the start.
mask::CpuMask first_mask();

// Who has set the process's mask on purpose: a library's file, or "the program".
struct MaskSetter {
  char who[64] = "";
  long after = 0;  // milliseconds from the start of nestbind to the call
};

// Notes who has set the present mask first. now: support::milliseconds_now() at the call. Not
// thread-safe.
void note_mask_setter(const char* who, long now);

// Returns who has given the process fewer processors than it had at the start. Null: nobody has, or
// nestbind has not seen the call.
const MaskSetter* narrowed_by();

// Equal masks have the same copy, which is never freed. The copy has no bits if there is no memory.
// Not thread-safe.
mask::CpuMask kept_mask(const mask::CpuMask& mask);

// The CPU quota of this process's cgroups, read at the first call.
const support::CpuQuota& cpu_quota();

// Returns the number of threads that the quota allows, or 0 if there is no limit.
int quota();

// Divides the quota by the number of ranks.
void divide_quota(int ranks);
int ranks_of_quota();

}  // namespace nestbind::process
