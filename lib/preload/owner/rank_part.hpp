// SPDX-License-Identifier: BSD-3-Clause
// Ranks with the same mask divide the mask, and each rank's part becomes its process's mask. The
// decision about a part is final.
#pragma once

#include "places/plans.hpp"

namespace nestbind::placement {

// Reports this rank's mask to the other ranks. Does nothing in a process that is not a rank.
void enter_rank();

bool part_is_undecided();

// Reads the machine and makes the plan, once. A rank decides its part before. Reports and returns
// the error. If a signal handler interrupts a thread that makes a plan, the handler gets
// NESTBIND_NOT_PLACED.
int make_plan(PlanInForce* plan);

// Decides this rank's part if the rank has already made a plan for its whole mask.
void settle_ranks();

// Returns the plan in which a rank counts the words of its specification, before its first fork: in
// its part if all ranks are known, otherwise in the part that it has if all ranks have its mask. In
// other processes, returns `plan`. The plan is made. Returns null if this fails.
PlanInForce* plan_to_count_in(PlanInForce* plan);

bool is_divided_mask(const mask::CpuMask& mask);

// Binds the calling thread to the rank's part if the thread still has the mask that was divided.
// Only a thread's first call has an effect.
void keep_to_part();

// Warns that threads share slots; `sharing` is the warning's text. If ranks have masks of their
// own, only one rank of the job warns.
void say_crowd(const char* sharing);

bool crowd_is_told();

}  // namespace nestbind::placement
