// SPDX-License-Identifier: BSD-3-Clause
// MPI ranks of a node may have the same mask. Each of them takes a part of the mask. Then the part
// is the process's mask, as if the launcher had set it. (In a dry run, the process may use this
// part of the planned machine.) The decision is final.
#pragma once

#include "mask/cpu_mask.hpp"
#include "planner/planner.hpp"

namespace nestbind::placement {

// Called once, when there is a specification. A rank reports its mask to the other ranks. In a
// process that is not a rank nothing happens.
void enter_rank();

// Whether this process is a rank whose part is not decided yet.
bool part_is_undecided();

// Compares the ranks' masks, once. Returns whether the mask is to be divided as `division` says; if
// so, call take_part(). is_fork: decides now, even if ranks are missing. Otherwise decides nothing
// while ranks are missing. Reports errors. Called under the lock of plans.
bool meet_ranks(const spec::Spec& spec, bool is_fork, PlannerDivision& division);

// Takes the part that the planner made. No bits: it could not divide the mask, which stays.
// too_small: the planner's message about the smallest part, or empty. Under the lock of plans.
void take_part(const mask::CpuMask& part, const char* too_small);

// Whether ranks have divided this mask. No thread gets such a mask on purpose.
bool is_divided_mask(const mask::CpuMask& mask);

// Called on a thread whose team is not planned, or that is about to fork such a team. If the thread
// still has the mask that was divided, it moves to the part. Only a thread's first call
// does this.
void keep_to_part();

// The processors that the process may use, on the planned machine. No bits: all (in a dry run).
mask::CpuMask usable();

// Warns that threads share slots; `sharing` is the text. If the launcher gave this rank a mask of
// its own, only one rank of the job warns, and also says how to get more processors.
void say_crowd(const char* sharing);

// Whether another rank warns that threads share slots, or this rank has done so.
bool crowd_is_told();

}  // namespace nestbind::placement
