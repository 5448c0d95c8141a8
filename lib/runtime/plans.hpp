// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, their plans, and the places that follow from them. All that
// takes a lock, memory or time is here; what is made stays.
#pragma once

#include "runtime/thread.hpp"

namespace nestbind::runtime {

// The plan of the specification in force outside regions; null: none.
Plan* plan_in_force();
void put_in_force(Plan* plan);

// The plan of a specification (`base` null), or of a change inside a region at `level`. Null
// without memory. It is not yet made.
Plan* plan_of(const spec::Spec& spec, Plan* base, int level);

// Reads the machine and makes the plan, once; says what goes wrong, once. Returns the error.
int make_plan(Plan* plan);

// The team of `size` that a thread at `place` forks; null where it cannot be planned. Without a
// lock for teams that were seen before.
const Team* team_of(const Place* place, int size);

// The place of a thread after the specification changed there to `plan`: it keeps what it is bound
// to. Null without memory.
Place* place_under(const Place* place, Plan* plan);

// Held by fork() so that the child finds the plans whole.
void lock_plans();
void unlock_plans();

}  // namespace nestbind::runtime
