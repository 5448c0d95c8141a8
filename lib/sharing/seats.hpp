// SPDX-License-Identifier: BSD-3-Clause
// Where the members of a team sit: whom they steal from first.
#pragma once

#include "loops/places.hpp"
#include "sharing/team.hpp"

namespace nestbind::placement {
struct Place;
}

namespace nestbind::sharing {

// The places of a team that is forked from a place of the plan; null: nothing is known of them. For
// the forking thread. Team::version changes when they do; where they are the same as the last time,
// this compares a pointer.
loops::Places find_seats(Team& team, const placement::Place* place);
inline loops::Places seats_of(Team& team, const placement::Place* place) {
  const bool is_unknown = place == nullptr && team.place == nullptr && team.version != 0;
  return is_unknown ? loops::Places{} : find_seats(team, place);
}

// Whether anything was ever known of the places of a team.
bool has_seats();

}  // namespace nestbind::sharing
