// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, and their plans. Plans are never freed.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// The specification in force outside of regions, with its plan.
extern std::atomic<PlanInForce*> g_in_force;

// A number that is increased when the division among root threads may have changed.
extern std::atomic<unsigned> g_division;
inline void divide_anew() { g_division.fetch_add(1, std::memory_order_acq_rel); }

bool is_divided(const spec::Spec& spec);

// Returns the plan in force outside of regions, or null if there is none or it is "off".
PlanInForce* plan_in_force();
const spec::Spec* specification_in_force();
void put_in_force(PlanInForce* plan);

// Returns the plan of a specification for the process's present mask. Does not make the plan. base:
// the plan around the region at `level`, null outside of regions. Returns null if there is no
// memory, or if the lock cannot be taken.
PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level,
                     const RegionRule* rule = nullptr);

// Like plan_of(), for a share of `machine` and the specification of `whole`. Returns `whole` if the
// share is the whole machine.
PlanInForce* plan_of_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share);

// Replaces the plan in force by the plan for the process's new mask. Called under the lock.
void renew_plan_in_force();

// Returns the plan of the same specification for the present mask. If this fails, returns `plan`.
PlanInForce* for_present_mask(PlanInForce* plan);

// The time when a rank asks for its plan. At a fork, the rank decides its part even if other ranks
// are missing. Before a fork, the rank then plans for its whole mask.
enum class Ranks { kAtFork, kEarlier };

// Reads the machine and makes the plan, once. Reports and returns the error. Returns
// NESTBIND_NOT_PLACED in a signal handler whose thread is making a plan.
int make_plan(PlanInForce* plan, Ranks ranks = Ranks::kAtFork);

// If a rank's plan is for its whole mask, the rank finds its part and a new plan.
void settle_ranks();

// Finds the distances between the slots of a made plan. A null `plan` means all slots of the
// machine in the process's mask.
int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry);

// Valid after the planner was loaded for a plan or question. Call planner functions under the lock.
const PlannerApi& planner();

}  // namespace nestbind::placement
