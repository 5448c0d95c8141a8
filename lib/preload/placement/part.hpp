// SPDX-License-Identifier: BSD-3-Clause
// Ranks with the same mask divide the mask, and each rank's part becomes its process's mask. The
// decision about a part is final.
#pragma once

#include "mask/cpu_mask.hpp"
#include "planner/planner.hpp"

namespace nestbind::placement {

// Reports this rank's mask to the other ranks. Does nothing in a process that is not a rank.
void enter_rank();

bool part_is_undecided();

// Compares the ranks' masks, once. If the result is true, call take_part() with this rank's part of
// `division`. Before a fork (`is_fork` is false), missing ranks may delay the decision. Called
// under the lock of plans.
bool meet_ranks(const spec::Spec& spec, bool is_fork, PlannerDivision& division);

// Sets the process's mask to `part`. If `part` has no bits, the process's mask stays. `too_small`
// is the planner's message about the smallest part, or empty. Called under the lock of plans.
void take_part(const mask::CpuMask& part, const char* too_small);

bool is_divided_mask(const mask::CpuMask& mask);

// Binds the calling thread to the rank's part if the thread still has the mask that was divided.
// Only a thread's first call has an effect.
void keep_to_part();

// In a dry run, a mask without bits means all processors.
mask::CpuMask usable();

// Warns that threads share slots; `sharing` is the warning's text. If ranks have masks of their
// own, only one rank of the job warns.
void say_crowd(const char* sharing);

bool crowd_is_told();

}  // namespace nestbind::placement
