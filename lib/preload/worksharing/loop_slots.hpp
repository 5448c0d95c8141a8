// SPDX-License-Identifier: BSD-3-Clause
// The places of a team's members, which decide from whom a member steals first.
#pragma once

#include "loops/grouping.hpp"
#include "team/team.hpp"
#include "worksharing/shared_team.hpp"

namespace nestbind::worksharing {

// Returns the places of a team, or empty tables if the places are not known. Changes
// Shared::version if the places have changed.
loops::Places find_places(Shared& shared, const team::Team& team);
inline loops::Places places_of(Shared& shared, const team::Team& team) {
  const bool is_unknown = team.planned == nullptr && shared.places_of == 0 && shared.version != 0;
  return is_unknown ? loops::Places{} : find_places(shared, team);
}

bool has_places();

}  // namespace nestbind::worksharing
