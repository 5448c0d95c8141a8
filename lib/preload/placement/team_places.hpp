// SPDX-License-Identifier: BSD-3-Clause
// The places and teams of a plan.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"
#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

void plan(team::Team& team);

// Plans a team of `size` from a place, without a Team object.
bool plan_members(const Place& parent, int size, PlannedPlace* planned);

inline const Planned* planned_of(const team::Team& team) {
  const Planned* planned = team.planned;
  return planned != nullptr && planned->parent == team.parent ? planned : nullptr;
}

void forget_places(team::Team& team);

// Prints the team's warning, once per specification.
void tell_crowd(const Planned& team);

// Follows the path from `root` by the numbers and sizes that the runtime reports. Returns null if
// the place cannot be planned.
const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level);

// Returns the place that replaces `place` under `plan`. A null `plan` means "off". Returns null if
// there is no memory.
Place* place_under(const Place* place, PlanInForce* plan);

const PlannedPlace* planned_member(const team::Team& team, int number);

NodeDistances node_distances(const team::Team& team);

}  // namespace nestbind::placement
