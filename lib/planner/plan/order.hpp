// SPDX-License-Identifier: BSD-3-Clause
// Which thread of the program is meant, and the order in which members of teams take their
// positions.
#pragma once

#include <compare>
#include <map>
#include <vector>

namespace nestbind::plan {

// One enclosing team of a thread: its number there, and the team's real size.
struct Step {
  int number = 0;
  int size = 1;
  auto operator<=>(const Step&) const = default;
};
using Path = std::vector<Step>;

// Which member of a team takes which of the positions that the plan has made for it. The positions
// stay as they are, and each is taken once: whatever holds of a plan's positions holds in any
// order.
class Order {
 public:
  // For each member of a team the member whose position, as planned, it takes, together with that
  // member's teams: a permutation of 0, 1, ..; the primary thread keeps its own, positions[0] is 0.
  using Positions = std::vector<int>;
  using Teams =
      std::map<std::vector<int>, Positions>;  // by the thread numbers of the primary thread

  // An order of the team of this primary thread; there is none yet.
  void set(std::vector<int> primary, Positions positions) {
    teams_.emplace(std::move(primary), std::move(positions));
  }

  bool is_plain() const { return teams_.empty(); }
  const Teams& teams() const { return teams_; }

  // The order of the team of `size` that the thread at `path` forks; null where the team is as
  // planned: one that nothing is said of, or that has another size.
  const Positions* positions_of(const Path& path, int size) const;

  // The path of the thread for which the plan has made what the thread at `path` gets. Different
  // for different threads.
  Path planned(const Path& path) const;

 private:
  Teams teams_;
};

}  // namespace nestbind::plan
