// SPDX-License-Identifier: BSD-3-Clause
// Finds an order for given communication.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "mapping/placement.hpp"
#include "mapping/target.hpp"

namespace nestbind::mapping {

// Maps a team by another program. Returns none, or positions, possibly with duplicates.
using Mapper = std::function<std::optional<std::vector<int>>(const Target& target)>;

enum class Method { kPlain, kGreedy, kMapper };

struct Mapping {
  double cost_before = 0;
  double cost = 0;                 // never above cost_before
  Method method = Method::kPlain;  // the method that gave the order, before members were exchanged
  bool has_refused = false;        // whether the mapper's result could not be used
  plan::Order order;
};

// Returns the best of the plain order, a greedy order, and the order of the mapper (which may be
// null). In each order, members are exchanged while an exchange lowers the cost.
Mapping map(const Problem& problem, const Mapper& mapper);

// Returns the placement by one method only, without exchanges of members.
Placement place_by(const Problem& problem, Method method, const Mapper& mapper, bool& has_refused);

}  // namespace nestbind::mapping
