// SPDX-License-Identifier: BSD-3-Clause
// The part that this process has of a mask which other ranks of its node have as well. Once it is
// taken it is the mask of the process, as if the launcher had bound it there; in a dry run it is
// what the process may use of that machine. What is decided stands until the process ends.
#pragma once

#include "mask/cpu_mask.hpp"
#include "planner/planner.hpp"

namespace nestbind::placement {

// Something is specified: a rank tells the others its mask. Nothing happens in other processes.
// Once.
void enter_rank();

// Whether this is a rank whose part is not decided yet.
bool part_is_undecided();

// Meets the other ranks, unless that is done. Returns whether the mask is to be divided, and how;
// take_part() has to follow then. is_fork: this cannot wait for longer than it does; otherwise
// nothing is decided where some have not come. Says what is wrong. Under the lock of plans.
bool meet_ranks(const spec::Spec& spec, bool is_fork, PlannerDivision& division);

// The planner has divided. No bits: it could not, and the mask stays. too_small: what the planner
// says of the smallest part; empty: nothing. Under the lock of plans.
void take_part(const mask::CpuMask& part, const char* too_small);

// Whether this is the mask that has been divided: a thread that still has it has not been given it
// on purpose.
bool is_divided_mask(const mask::CpuMask& mask);

// A thread that belongs to a team which is not planned, or is about to fork one: if it still has
// the mask that has been divided, it goes to the part. Once, of each thread.
void keep_to_part();

// What the process may use of the machine that is planned for. No bits: all of it, in a dry run.
mask::CpuMask usable();

// Says that threads share slots, in these words; of a rank whose launcher has given it a mask of
// its own also how many processors these are, and what gives it more: once in the job.
void say_crowd(const char* sharing);

// Whether another rank tells the user that threads share slots, or this one has.
bool crowd_is_told();

}  // namespace nestbind::placement
