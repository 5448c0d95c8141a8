// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, and their plans. All that takes a lock, memory or time is
// here and in places.cpp; what is made stays.
#pragma once

#include "placement/place.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

// The plan of the specification in force outside regions; null: none.
PlanInForce* plan_in_force();
void put_in_force(PlanInForce* plan);

// The plan of a specification (`base` null), or of a change inside a region at `level`. Null
// without memory. It is not yet made.
PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level);

// Reads the machine and makes the plan, once; says what goes wrong, once. Returns the error.
int make_plan(PlanInForce* plan);

// The planner, once a plan has been made. Its functions are called under the lock.
const PlannerApi& planner();

// The lock of all plans and places. fork() holds it too, so that the child finds them whole.
void lock_plans();
void unlock_plans();

class PlansLocked {
 public:
  PlansLocked() { lock_plans(); }
  ~PlansLocked() { unlock_plans(); }
  PlansLocked(const PlansLocked&) = delete;
  PlansLocked& operator=(const PlansLocked&) = delete;

 private:
  support::ErrnoKept errno_kept_;
};

}  // namespace nestbind::placement
