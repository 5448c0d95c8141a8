// SPDX-License-Identifier: BSD-3-Clause
// The places of teams. A fork finds them without a lock. The first fork of a team's size at a place
// makes them.
#pragma once

#include "places/place.hpp"
#include "places/plans_lock.hpp"

namespace nestbind::placement {

// Gives the team the places of its size below `place`. `place` is team.parent, or the same root
// under the plan for the process's present mask. Sets team.planned to null if there is no memory.
void plan(team::Team& team, const Place& place);

// The short way of plan(): returns false if it does not know the places.
inline bool take_known_places(team::Team& team, const Place& place) {
  if (team.planned != nullptr && !team.planned->members[0].is_kept) {
    return false;
  }
  team.planned = find_in<&Planned::next>(
      place.teams, [&](const Planned& known) { return known.size == team.size; });
  return team.planned != nullptr;
}

// Plans a team of `size` from a place, without a Team object.
bool plan_members(const Place& parent, int size, PlannedPlace* planned);

// The places of the team's present fork, or null. A team keeps the places of its last fork.
inline const Planned* planned_of(const team::Team& team) {
  const Planned* const planned = team.planned;
  return planned != nullptr && team.parent != nullptr && planned->parent == team.parent->id
             ? planned
             : nullptr;
}

void forget_places(team::Team& team);

// Follows the path from `root` by the numbers and sizes that the runtime reports. Returns null if
// the place cannot be planned.
const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level);

// Returns the place that replaces `place` under `plan`. A null `plan` means "off". Teams that fork
// at a loose place are not bound. Returns null if there is no memory.
const Place* place_under(const Place* place, PlanInForce* plan, bool is_loose);

// Like place_under(), for a plan of this rule that place_under() has seen. Otherwise returns null.
inline const Place* known_under(const Place* place, const RegionRule& rule) {
  return find_in<&Place::next>(original_of(place)->forms, [&](const Place& form) {
    return form.plan != nullptr && form.plan->rule == &rule && !form.is_loose;
  });
}

// Returns the place of root thread `number` in a plan that several root threads share, or null if
// there is no memory.
const Place* place_of_root(PlanInForce* plan, int number);

// The processors of the share that teams forked at a planned place have.
mask::CpuMask partition_of(const Place& place);

const PlannedPlace* planned_member(const team::Team& team, int number);

NodeDistances node_distances(const team::Team& team);

}  // namespace nestbind::placement
