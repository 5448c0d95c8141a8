// SPDX-License-Identifier: BSD-3-Clause
// The path of a thread, and the positions of team members.
#pragma once

#include <compare>
#include <map>
#include <vector>

namespace nestbind::plan {

// A thread's number in one enclosing team, and the size of this team in the program.
struct Step {
  int number = 0;
  int size = 1;
  auto operator<=>(const Step&) const = default;
};
using Path = std::vector<Step>;

// For each team, the planned positions of its members. Each position has one member.
class Order {
 public:
  // If positions[1] is 2, member 1 gets the slot and the inner teams that were planned for member
  // 2. The list is a permutation of 0, 1, ... The primary thread keeps its position, so
  // positions[0] is 0.
  using Positions = std::vector<int>;
  using Teams = std::map<std::vector<int>, Positions>;  // by the path of the primary thread

  // The team must have no order yet.
  void set(std::vector<int> primary, Positions positions) {
    teams_.emplace(std::move(primary), std::move(positions));
  }

  bool is_plain() const { return teams_.empty(); }
  const Teams& teams() const { return teams_; }

  // Returns null if there is no order for this team and size.
  const Positions* positions_of(const Path& path, int size) const;

  Path planned(const Path& path) const;

 private:
  Teams teams_;
};

}  // namespace nestbind::plan
