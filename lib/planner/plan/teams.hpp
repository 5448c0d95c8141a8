// SPDX-License-Identifier: BSD-3-Clause
// Plans the slots of a team's members.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "plan/rules.hpp"

namespace nestbind::plan {

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
