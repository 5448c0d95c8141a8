// SPDX-License-Identifier: BSD-3-Clause
// The specifications of this process, and their plans. All that takes a lock, memory or time is
// here and in places.cpp; what is made stays.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// The specification in force outside regions, with its plan; null: none.
extern std::atomic<PlanInForce*> g_in_force;

// Counts how often the parts of root threads may have become others; never 0.
extern std::atomic<unsigned> g_division;
inline void divide_anew() { g_division.fetch_add(1, std::memory_order_acq_rel); }

// Whether root threads divide the plan of a specification.
bool is_divided(const spec::Spec& spec);

// The plan of the specification in force outside regions; null: none, or the word "off".
PlanInForce* plan_in_force();
// The specification, also of "off"; null: none.
const spec::Spec* specification_in_force();
void put_in_force(PlanInForce* plan);

// The plan of a specification (`base` null; of "off" it stands for none), or of a change inside a
// region at `level`, for the mask that the process has; `rule`, where it is that of a rule. Null
// without memory, or without the lock. It is not yet made.
PlanInForce* plan_of(const spec::Spec& spec, PlanInForce* base, int level,
                     const RegionRule* rule = nullptr);

// The same specification's plan for a part of a machine, or for all of it; not yet made. whole:
// made for what is usable; it is returned where that is the part. Null without memory, without the
// lock, and where there are too many.
PlanInForce* plan_of_part(PlanInForce* whole, const mask::CpuMask& machine, const Share& share);

// The process has another mask: the same specification's plan for that one is in force. Under the
// lock (plans_lock.hpp).
void renew_plan_in_force();

// The plan of the same specification for the mask that the process has now, made; the plan itself
// where that cannot be.
PlanInForce* for_present_mask(PlanInForce* plan);

// What a rank does whose part is not decided, as long as others have not come: at a fork it decides
// without them, earlier the plan is for its whole mask.
enum class Ranks { kAtFork, kEarlier };

// Reads the machine and makes the plan, once; says what goes wrong, once. Returns the error;
// NESTBIND_NOT_PLACED, where the calling thread has been interrupted while it does so.
int make_plan(PlanInForce* plan, Ranks ranks = Ranks::kAtFork);

// Before the first fork: a rank whose plan has been made for the whole mask finds its part, and
// another plan is in force.
void settle_ranks();

// What lies between the slots of a plan that is made, or, without one (null), of the machine, which
// is read then, for the mask that the process has. Without a lock where it was asked before.
// Returns the error, as make_plan; otherwise `geometry` is filled in.
int find_geometry(PlanInForce* plan, const PlannerGeometry*& geometry);

// The planner, once a plan has been made or something else been found by it. Its functions are
// called under the lock.
const PlannerApi& planner();

}  // namespace nestbind::placement
