// SPDX-License-Identifier: BSD-3-Clause
// The places and teams of a plan, made when they are first asked for.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Plans a team, which has members, from its parent: `planned` is null where it cannot be. Nobody is
// in it yet.
void plan(team::Team& team);

// The places of a team of `size` that is forked from a place, without a team. Returns false where
// they cannot be planned.
bool plan_members(const Place& parent, int size, PlannedPlace* planned);

// What a team was planned from its present parent, which is planned then; null: nothing.
inline const Planned* planned_of(const team::Team& team) {
  const Planned* planned = team.planned;
  return planned != nullptr && planned->parent == team.parent ? planned : nullptr;
}

// The memory of its places becomes others'.
void forget_places(team::Team& team);

// Such a team has forked: tells what its warning is, once for a specification.
void tell_crowd(const Planned& team);

// The place of the calling thread, which is in regions that nobody has told of, from a root down,
// by the numbers and sizes that the runtime tells. Null where it cannot be planned.
const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level);

// The place of a thread after the specification changed there to `plan`: it keeps what it is bound
// to. plan null: to "off". Null without memory.
Place* place_under(const Place* place, PlanInForce* plan);

// Where a member sits. Null where the team is not planned.
const PlannedPlace* planned_member(const team::Team& team, int number);

// Of the machine of a team's plan. No table where it is not planned.
NodeDistances node_distances(const team::Team& team);

}  // namespace nestbind::placement
