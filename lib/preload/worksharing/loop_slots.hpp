// SPDX-License-Identifier: BSD-3-Clause
// Where the members of a team sit: whom they steal from first.
#pragma once

#include "loops/loop_places.hpp"
#include "team/team.hpp"
#include "worksharing/shared_team.hpp"

namespace nestbind::worksharing {

// The places of a team; null: nothing is known of them. For the forking thread. Shared::version
// changes when they do; where they are the same as the last time, this compares a pointer.
loops::Places find_places(Shared& shared, const team::Team& team);
inline loops::Places places_of(Shared& shared, const team::Team& team) {
  const bool is_unknown =
      team.planned == nullptr && shared.planned == nullptr && shared.version != 0;
  return is_unknown ? loops::Places{} : find_places(shared, team);
}

// Whether anything was ever known of the places of a team.
bool has_places();

}  // namespace nestbind::worksharing
