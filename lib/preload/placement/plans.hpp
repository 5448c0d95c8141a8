// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, and their plans. The slow parts of a fork (locks,
// allocations, planning) are here and in team_places.cpp. Plans are never freed.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// The specification in force outside of regions, with its plan. Null if there is no specification.
extern std::atomic<PlanInForce*> g_in_force;

// A number that is increased when the division among root threads may have changed. It is never 0.
extern std::atomic<unsigned> g_division;
inline void divide_anew() { g_division.fetch_add(1, std::memory_order_acq_rel); }

// Whether root threads divide the plan of a specification.
bool is_divided(const spec::Spec& spec);

// Returns the plan in force outside of regions, or null if there is none or it is "off".
PlanInForce* plan_in_force();
// Returns the specification in force, which may be "off", or null if there is none.
const spec::Spec* specification_in_force();
void put_in_force(PlanInForce* plan);

// Returns the plan of a specification for the process's present mask, but does not make the plan.
// base: for a change inside a region at `level`, the plan around the region; otherwise null. rule:
// the rule that the plan is for, or null. For "off" the result means "no plan". Returns null if
// there is no memory, or if the lock cannot be taken.
PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level,
                     const RegionRule* rule = nullptr);

// Like plan_of(), but for a share of `machine`, with the specification of `whole`, which is the
// plan for all usable processors. Returns `whole` if the share is the whole machine. Also returns
// null if there are too many parts.
PlanInForce* plan_of_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share);

// Puts the specification's plan for the process's new mask in force. Called under the lock.
void renew_plan_in_force();

// If `plan` is for the present mask, returns `plan`. Otherwise makes and returns the plan of the
// same specification for the present mask. If this fails, returns `plan`.
PlanInForce* for_present_mask(PlanInForce* plan);

// The time when a rank asks for its plan. If other ranks are missing, then at a fork the rank
// decides its part without them. Earlier, the rank plans for its whole mask.
enum class Ranks { kAtFork, kEarlier };

// Reads the machine and makes the plan, once. Reports an error once, and returns the error. Returns
// NESTBIND_NOT_PLACED in a signal handler whose thread is making a plan.
int make_plan(PlanInForce* plan, Ranks ranks = Ranks::kAtFork);

// Called before the first fork. If a rank's plan was made for its whole mask, the rank finds its
// part, and another plan comes into force.
void settle_ranks();

// Finds the distances between the slots of a made plan. If `plan` is null, finds the distances
// between all slots of the machine, restricted to the process's mask. Takes a lock only at the
// first call for a plan. Returns the error, like make_plan. Sets `geometry` if there is no error.
int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry);

// Valid after the planner was loaded for a plan or question. Call planner functions under the lock.
const PlannerApi& planner();

}  // namespace nestbind::placement
