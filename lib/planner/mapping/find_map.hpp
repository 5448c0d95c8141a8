// SPDX-License-Identifier: BSD-3-Clause
// Finds an order for given communication.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "mapping/placement.hpp"
#include "mapping/target.hpp"

namespace nestbind::mapping {

// Calls another program to map a team. The program's positions may have duplicates.
using Mapper = std::function<std::optional<std::vector<int>>(const Target& target)>;

enum class Method { kPlain, kGreedy, kMapper };

struct Mapping {
  double cost_before = 0;
  double cost = 0;                 // never above cost_before
  Method method = Method::kPlain;  // of the order before the exchanges
  bool has_refused = false;        // whether the mapper's result could not be used
  plan::Order order;
};

// Tries the plain order, a greedy order, and the order of `mapper`. Improves each order by
// exchanges of two members. Returns the best result. `mapper` may be null.
Mapping map(const Problem& problem, const Mapper& mapper);

// Returns the placement by one method only, without exchanges of members.
Placement place_by(const Problem& problem, Method method, const Mapper& mapper, bool& has_refused);

// Two methods that map the members of a team without another program.

// Places members one by one. The first member keeps its position. The next member is always the one
// that communicates most with the placed members. This member gets the free position with the
// lowest cost.
std::vector<int> place_greedily(const Team& team, const Distances& distances);

// Exchanges two members of a team while an exchange lowers the cost. Stops after kMostSteps steps;
// each step computes one pair of threads.
inline constexpr long kMostSteps = 300'000'000;
void exchange_members(const Problem& problem, Placement& placement);

}  // namespace nestbind::mapping
