// SPDX-License-Identifier: BSD-3-Clause
// Identifies threads of the program, and gives the order in which members of teams take positions.
#pragma once

#include <compare>
#include <map>
#include <vector>

namespace nestbind::plan {

// A thread's number in one enclosing team, and the team's real size.
struct Step {
  int number = 0;
  int size = 1;
  auto operator<=>(const Step&) const = default;
};
using Path = std::vector<Step>;

// Which member of a team takes which of the team's planned positions. The positions do not change,
// and each is taken once. So rules about positions are true in any order.
class Order {
 public:
  // For each member of a team: the member whose planned position and inner teams it takes. A
  // permutation of 0, 1, ..; the primary thread keeps its position: positions[0] is 0.
  using Positions = std::vector<int>;
  using Teams = std::map<std::vector<int>, Positions>;  // by the primary thread's thread numbers

  // Adds the order of this primary thread's team, which has none yet.
  void set(std::vector<int> primary, Positions positions) {
    teams_.emplace(std::move(primary), std::move(positions));
  }

  bool is_plain() const { return teams_.empty(); }
  const Teams& teams() const { return teams_; }

  // The order of the team of `size` that the thread at `path` forks. Returns null for the plain
  // order: no order is set, or only an order for another size.
  const Positions* positions_of(const Path& path, int size) const;

  // The thread at `path` gets the planned place of the thread at the returned path: one-to-one.
  Path planned(const Path& path) const;

 private:
  Teams teams_;
};

}  // namespace nestbind::plan
