// SPDX-License-Identifier: BSD-3-Clause
// Plans the slots of a team's members.
#pragma once

#include <compare>
#include <map>
#include <vector>

#include "machine/machine.hpp"
#include "plan/rules.hpp"

namespace nestbind::plan {

// The path of a thread, and the positions of team members.
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

// A thread's slot, and the slots for its inner teams (ascending).
struct PlannedSlot {
  int slot = 0;
  std::vector<int> partition;
  bool pinned = true;  // false if the level has no rule: the thread may be anywhere in `partition`
};
using Team = std::vector<PlannedSlot>;

PlannedSlot root_slot(const machine::Machine& machine);

// Returns the specified size of this slot's next team at `level`, or 0. "*" counts as "core".
int team_size(const machine::Machine& machine, const Rules& rules, int level,
              const PlannedSlot& primary);

// True if a team with this number of threads may share slots without a warning. The level's size
// must be "*", and the primary thread's partition must have enough hardware threads.
bool may_share(const machine::Machine& machine, const Rules& rules, int level,
               const PlannedSlot& primary, long threads);

// If is_plain_inner() is true, call plan_level() instead.
Team plan_team(const machine::Machine& machine, const Rules& rules, int level,
               const PlannedSlot& primary, int size);

// Plans all teams of a level with is_plain_inner(), in path order. sizes: one for each team.
std::vector<Team> plan_level(const machine::Machine& machine, const Rules& rules, int level,
                             const std::vector<PlannedSlot>& primaries,
                             const std::vector<int>& sizes);

}  // namespace nestbind::plan
