// SPDX-License-Identifier: BSD-3-Clause
// Two methods that map the members of a team without another program.
#pragma once

#include <vector>

#include "mapping/placement.hpp"

namespace nestbind::mapping {

// Places members one by one. The first member keeps its position. The next member is always the one
// that communicates most with the placed members. This member gets the free position with the
// lowest cost.
std::vector<int> place_greedily(const Team& team, const Distances& distances);

// Exchanges two members of a team while an exchange lowers the cost. Stops after kMostSteps steps;
// each step computes one pair of threads.
inline constexpr long kMostSteps = 300'000'000;
void exchange_members(const Problem& problem, Placement& placement);

}  // namespace nestbind::mapping
