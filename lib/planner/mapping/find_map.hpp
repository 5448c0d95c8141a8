// SPDX-License-Identifier: BSD-3-Clause
// From who talks to whom to an order.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "mapping/placement.hpp"
#include "mapping/target.hpp"

namespace nestbind::mapping {

// Another's way to map a team: the position of each member, some of them maybe twice; none where it
// cannot.
using Mapper = std::function<std::optional<std::vector<int>>(const Target& target)>;

enum class Method { kPlain, kGreedy, kMapper };

struct Mapping {
  double cost_before = 0;
  double cost = 0;                 // never more
  Method method = Method::kPlain;  // what led to it, exchanges of members behind it
  bool has_refused = false;        // the mapper did not answer
  plan::Order order;
};

// The best order of: the plain one, one made greedily, and one by the mapper, if there is one; each
// with members exchanged as long as that helps. Teams are put onto their positions from the
// outermost on.
Mapping map(const Problem& problem, const Mapper& mapper);

// The same by one method only, without the exchanges: to compare them.
Placement place_by(const Problem& problem, Method method, const Mapper& mapper, bool& has_refused);

}  // namespace nestbind::mapping
