// SPDX-License-Identifier: BSD-3-Clause
// Who is near whom in a team that is about to be forked: for loops, whose threads take from each
// other.
#pragma once

#include "planner/planner.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Where a member sits. Null where the team is not planned.
const PlannedPlace* planned_member(const team::Team& team, int number);

// Of the machine of a team's plan. No table where it is not planned.
NodeDistances node_distances(const team::Team& team);

}  // namespace nestbind::placement
