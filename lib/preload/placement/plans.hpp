// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, and their plans. Plans are never freed.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// The specification in force outside of regions, with its plan.
extern std::atomic<PlanInForce*> g_in_force;

// This number increases when the division among root threads may have changed. It is never 0.
extern std::atomic<unsigned> g_division;
inline void divide_anew() { g_division.fetch_add(1, std::memory_order_acq_rel); }

bool is_divided(const spec::Spec& spec);

// Returns the plan in force outside of regions, or null if there is none or it is "off".
PlanInForce* plan_in_force();
const spec::Spec* specification_in_force();
void put_in_force(PlanInForce* plan);

// Returns the plan of a specification for the process's present mask. Does not make the plan.
// `base` is the plan around the region at `level`. Outside of regions, `base` is null. Returns null
// if there is no memory, or if the lock cannot be taken.
PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level,
                     const RegionRule* rule = nullptr);

// Like plan_of(), but for one part of `machine`. The new plan has the specification of `whole`.
// Returns `whole` if the share is the whole machine.
PlanInForce* plan_of_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share);

// Replaces the plan in force by the plan for the process's new mask. Called under the lock.
void renew_plan_in_force();

// If `plan` was made for another mask, makes and returns the plan for the present mask. Otherwise,
// or if this fails, returns `plan`.
PlanInForce* for_present_mask(PlanInForce* plan);

// The time when a rank asks for its plan. If other ranks are missing at a fork, the rank decides
// its part. If other ranks are missing before a fork, the rank plans for its whole mask.
enum class Ranks { kAtFork, kEarlier };

// Reads the machine and makes the plan, once. Reports and returns the error. If a signal handler
// interrupts a thread that makes a plan, the handler gets NESTBIND_NOT_PLACED.
int make_plan(PlanInForce* plan, Ranks ranks = Ranks::kAtFork);

// Decides this rank's part if the rank has already made a plan for its whole mask.
void settle_ranks();

// If `plan` is null, uses all slots in the process's mask. Otherwise `plan` must already be made.
int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry);

// The planner must be loaded. Call its functions under the lock.
const PlannerApi& planner();

}  // namespace nestbind::placement
