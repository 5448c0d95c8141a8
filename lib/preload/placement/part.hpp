// SPDX-License-Identifier: BSD-3-Clause
// MPI ranks of a node may have the same mask. These ranks divide the mask, and each rank's part
// becomes its process's mask, as if the launcher had set the part. In a dry run, the part is a part
// of the planned machine. The decision about a part is final.
#pragma once

#include "mask/cpu_mask.hpp"
#include "planner/planner.hpp"

namespace nestbind::placement {

// Reports this rank's mask to the other ranks. Called once, when there is a specification. Does
// nothing in a process that is not a rank.
void enter_rank();

// Whether this process is a rank whose part is not decided yet.
bool part_is_undecided();

// Compares the ranks' masks, once. Returns whether this rank's mask is to be divided as `division`
// says. If it is to be divided, call take_part(). If ranks are missing, decides only if `is_fork`
// is true. Reports errors. Called under the lock of plans.
bool meet_ranks(const spec::Spec& spec, bool is_fork, PlannerDivision& division);

// Makes the part from the planner the process's mask. If the planner could not divide the mask, the
// part has no bits, and the process's mask stays. too_small: the planner's message about the
// smallest part, or empty. Called under the lock of plans.
void take_part(const mask::CpuMask& part, const char* too_small);

// Whether ranks have divided this mask. This mask never counts as set for the process.
bool is_divided_mask(const mask::CpuMask& mask);

// Binds the calling thread to the rank's part if the thread still has the mask that was divided.
// Called on a thread whose team is not planned, or that is about to fork a team that is not
// planned. Only a thread's first call has an effect.
void keep_to_part();

// Returns the processors of the planned machine that the process may use. In a dry run, a mask
// without bits means all processors.
mask::CpuMask usable();

// Warns that threads share slots; `sharing` is the warning's text. If the launcher gave this rank a
// mask of its own, only one rank of the job warns, and also says how to get more processors.
void say_crowd(const char* sharing);

// Whether another rank warns that threads share slots, or this rank has already warned.
bool crowd_is_told();

}  // namespace nestbind::placement
