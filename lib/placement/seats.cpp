// SPDX-License-Identifier: BSD-3-Clause
#include "placement/seats.hpp"

#include "placement/places.hpp"

namespace nestbind::placement {

const PlannedPlace* planned_member(const Place* parent, int size, int number) {
  const Team* team = is_planned(parent) ? team_of(parent, size) : nullptr;
  return team == nullptr ? nullptr : &team->members[number].planned;
}

NodeDistances node_distances(const Place* place) {
  return is_planned(place) ? place->plan->distances : NodeDistances{};
}

}  // namespace nestbind::placement
