// SPDX-License-Identifier: BSD-3-Clause
// Our own ways to map the members of a team to its positions.
#pragma once

#include <vector>

#include "mapping/placement.hpp"

namespace nestbind::mapping {

// Places members one by one: next comes the member that communicates most with the placed members.
// It takes the free position with the lowest cost; on ties, the lowest number. Returns the position
// of each member. The first member keeps its position.
std::vector<int> place_greedily(const Team& team, const Distances& distances);

// Exchanges two members of a team while that lowers the cost, in all teams, from the outermost one
// on. Stops after kMostSteps steps; a step looks at one partner of a thread.
inline constexpr long kMostSteps = 300'000'000;
void exchange_members(const Problem& problem, Placement& placement);

}  // namespace nestbind::mapping
