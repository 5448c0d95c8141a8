// SPDX-License-Identifier: BSD-3-Clause
// The part that this process has of a mask which it shares with other ranks of its node. Once
// taken, the part is the process's mask, as if the launcher had bound the process there. In a dry
// run it is what the process may use of that machine. A decision stands until the process ends.
#pragma once

#include "mask/cpu_mask.hpp"
#include "planner/planner.hpp"

namespace nestbind::placement {

// Called once, when something is specified. A rank reports its mask to the other ranks. In a
// process that is not a rank nothing happens.
void enter_rank();

// Whether this process is a rank whose part is not decided yet.
bool part_is_undecided();

// Meets the other ranks, unless that is done. Returns whether the mask is to be divided, by
// `division`; then call take_part(). is_fork: the decision cannot wait any longer; otherwise
// nothing is decided while ranks are missing. Reports errors. Called under the lock of plans.
bool meet_ranks(const spec::Spec& spec, bool is_fork, PlannerDivision& division);

// The planner has cut this part. No bits: the planner could not divide, and the mask stays.
// too_small: the planner's message about the smallest part, or empty. Under the lock of plans.
void take_part(const mask::CpuMask& part, const char* too_small);

// Whether this mask was divided. A thread that still has it did not get it on purpose.
bool is_divided_mask(const mask::CpuMask& mask);

// Called on a thread whose team is not planned, or that is about to fork such a team. If the thread
// still has the mask that was divided, it moves to the part. Works once per thread.
void keep_to_part();

// The processors of the planned machine that the process may use. No bits: all of it (a dry run).
mask::CpuMask usable();

// Warns, in these words, that threads share slots. If the launcher gave this rank a mask of its
// own, the warning also gives its number of processors and how to get more, once in the job.
void say_crowd(const char* sharing);

// Whether another rank warns that threads share slots, or this rank has done so.
bool crowd_is_told();

}  // namespace nestbind::placement
