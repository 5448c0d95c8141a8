// SPDX-License-Identifier: BSD-3-Clause
// Ways of our own to put the members of a team onto its positions, where nothing better is at hand.
#pragma once

#include <vector>

#include "mapping/placement.hpp"

namespace nestbind::mapping {

// Each next member is the one that has most to do with those that sit already, and it takes the
// free position on which that costs least; the lowest number on ties. Returns the position of each
// member; the first keeps its own.
std::vector<int> place_greedily(const Team& team, const Distances& distances);

// Exchanges two members of a team as long as that lowers the cost, in all teams, from the outermost
// one on. Ends in any case: after kMostSteps looks at a partner of a thread.
inline constexpr long kMostSteps = 300'000'000;
void exchange_members(const Problem& problem, Placement& placement);

}  // namespace nestbind::mapping
