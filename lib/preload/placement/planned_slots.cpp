// SPDX-License-Identifier: BSD-3-Clause
#include "placement/planned_slots.hpp"

#include "placement/team_places.hpp"

namespace nestbind::placement {

const PlannedPlace* planned_member(const team::Team& team, int number) {
  const Planned* planned = planned_of(team);
  return planned == nullptr ? nullptr : &planned->members[number].planned;
}

NodeDistances node_distances(const team::Team& team) {
  return is_planned(team.parent) ? team.parent->plan->distances : NodeDistances{};
}

}  // namespace nestbind::placement
