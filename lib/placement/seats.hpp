// SPDX-License-Identifier: BSD-3-Clause
// Who is near whom in a team that is about to be forked: for loops, whose threads take from each
// other. A door, beside fork.hpp.
#pragma once

#include "planner/planner.hpp"

namespace nestbind::placement {

struct Place;

// Where a member of the team of `size` sits that a thread at `parent` (fork_begin) forks. Null
// where that is not planned; also for a null parent. May make the plan of this team.
const PlannedPlace* planned_member(const Place* parent, int size, int number);

// Of the machine of a place's plan. No table for null.
NodeDistances node_distances(const Place* place);

}  // namespace nestbind::placement
