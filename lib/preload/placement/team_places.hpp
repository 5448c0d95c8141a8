// SPDX-License-Identifier: BSD-3-Clause
// The places and teams of a plan. A place or a team is made when it is first asked for.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Plans a team that has no threads yet. Sets team.planned to null if the team cannot be planned.
void plan(team::Team& team);

// Plans a team of `size` from a place, without a Team object. Returns whether the team is planned.
bool plan_members(const Place& parent, int size, PlannedPlace* planned);

// Returns the places of a team as planned from its present parent, or null if there are none.
inline const Planned* planned_of(const team::Team& team) {
  const Planned* planned = team.planned;
  return planned != nullptr && planned->parent == team.parent ? planned : nullptr;
}

// Frees the memory of the team's places for other places.
void forget_places(team::Team& team);

// Prints the team's warning, once per specification. Called after the team has forked.
void tell_crowd(const Planned& team);

// Returns the place of the calling thread, which is in regions that no source has reported. The
// path from `root` follows the numbers and sizes that the runtime reports. Returns null if the
// place cannot be planned.
const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level);

// Returns the place that replaces `place` after a change of its specification to `plan` (null means
// "off"). The thread stays bound to its slot. Returns null if there is no memory.
Place* place_under(const Place* place, PlanInForce* plan);

// Returns the planned slot of a member, or null if the team is not planned.
const PlannedPlace* planned_member(const team::Team& team, int number);

// Returns the node distances of the machine that a team is planned on. The result has no table if
// the team is not planned.
NodeDistances node_distances(const team::Team& team);

}  // namespace nestbind::placement
