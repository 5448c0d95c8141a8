// SPDX-License-Identifier: BSD-3-Clause
// The places and teams of a plan. They are made when they are first asked for.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Plans a team that has no threads yet. Sets team.planned to null if it cannot be planned.
void plan(team::Team& team);

// Plans a team of `size` from a place, without a Team object. False: it cannot be planned.
bool plan_members(const Place& parent, int size, PlannedPlace* planned);

// The plan for a team from its present parent; null: there is none, or the parent is not planned.
inline const Planned* planned_of(const team::Team& team) {
  const Planned* planned = team.planned;
  return planned != nullptr && planned->parent == team.parent ? planned : nullptr;
}

// The memory of the team's places becomes free for other places.
void forget_places(team::Team& team);

// Called after the team has forked: prints its warning, once per specification.
void tell_crowd(const Planned& team);

// The place of the calling thread, which is in regions that no source has reported. The path from a
// root follows the numbers and sizes that the runtime reports. Null if it cannot be planned.
const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level);

// The place of a thread after the specification there has changed to `plan` (null: to "off"). The
// thread stays bound to its slot. Returns null if there is no memory.
Place* place_under(const Place* place, PlanInForce* plan);

// The planned slot of a member; null: the team is not planned.
const PlannedPlace* planned_member(const team::Team& team, int number);

// The node distances of the machine that a team is planned on; no table if it is not planned.
NodeDistances node_distances(const team::Team& team);

}  // namespace nestbind::placement
