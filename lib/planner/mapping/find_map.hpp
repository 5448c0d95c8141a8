// SPDX-License-Identifier: BSD-3-Clause
// Finds an order for given communication.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "mapping/placement.hpp"
#include "mapping/target.hpp"

namespace nestbind::mapping {

// Another way to map a team. Returns a position for each member, possibly with duplicates; or none.
using Mapper = std::function<std::optional<std::vector<int>>(const Target& target)>;

enum class Method { kPlain, kGreedy, kMapper };

struct Mapping {
  double cost_before = 0;
  double cost = 0;                 // never above cost_before
  Method method = Method::kPlain;  // the method before members were exchanged
  bool has_refused = false;        // the mapper gave no usable answer
  plan::Order order;
};

// The best of these orders: the plain order, a greedy order, and the mapper's, if any. In each
// order, members are exchanged while this lowers the cost. Teams are mapped from the outermost one
// on.
Mapping map(const Problem& problem, const Mapper& mapper);

// The placement by one method only, without exchanges: for comparisons.
Placement place_by(const Problem& problem, Method method, const Mapper& mapper, bool& has_refused);

}  // namespace nestbind::mapping
