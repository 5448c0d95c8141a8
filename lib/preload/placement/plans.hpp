// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, and their plans. All code that takes a lock, memory or time
// is here and in team_places.cpp. Plans are never freed.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// The specification in force outside regions, with its plan; null: none.
extern std::atomic<PlanInForce*> g_in_force;

// Counts how often the division among root threads may have changed; never 0.
extern std::atomic<unsigned> g_division;
inline void divide_anew() { g_division.fetch_add(1, std::memory_order_acq_rel); }

// Whether root threads divide the plan of a specification.
bool is_divided(const spec::Spec& spec);

// The plan that is in force outside of regions; null: none, or the specification is "off".
PlanInForce* plan_in_force();
// The specification that is in force, even if it is "off"; null: none.
const spec::Spec* specification_in_force();
void put_in_force(PlanInForce* plan);

// The plan of a specification for the process's present mask; not yet made. base: for a change
// inside a region at `level`, the plan around the region; otherwise null. rule: the rule that the
// plan is for, or null. For "off" the result means "no plan". Null: no memory, or the lock cannot
// be taken.
PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level,
                     const RegionRule* rule = nullptr);

// The plan of the same specification for a share of `machine`; not yet made. whole: the plan for
// all usable processors; it is the result if the share is all of them. Returns null in the same
// cases, and if there are too many parts.
PlanInForce* plan_of_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share);

// Called under the lock if the process has a new mask: puts the specification's plan for it in
// force.
void renew_plan_in_force();

// Makes the plan of the same specification for the process's present mask. On error returns `plan`.
PlanInForce* for_present_mask(PlanInForce* plan);

// The behaviour of a rank if its part is not decided and other ranks are missing. At a fork the
// rank decides without them; earlier it plans for its whole mask.
enum class Ranks { kAtFork, kEarlier };

// Reads the machine and makes the plan, once; reports an error, once. Returns the error;
// NESTBIND_NOT_PLACED: the caller is a signal handler, and its thread is making a plan.
int make_plan(PlanInForce* plan, Ranks ranks = Ranks::kAtFork);

// Called before the first fork. If a rank's plan was made for its whole mask, the rank finds its
// part, and another plan comes into force.
void settle_ranks();

// Finds the distances between the slots of a made plan. plan null: between the slots of the
// machine, which is read for the process's mask. Takes no lock if this was asked before. Returns
// the error, as make_plan; if there is none, sets `geometry`.
int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry);

// The planner. Valid once loaded for a plan or a question. Call its functions under the lock.
const PlannerApi& planner();

}  // namespace nestbind::placement
