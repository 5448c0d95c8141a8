// SPDX-License-Identifier: BSD-3-Clause
// The team that a thread forks: who sits where.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "plan/rules.hpp"

namespace nestbind::plan {

// Where a thread sits, and the slots that it may hand on (ascending).
struct PlannedSlot {
  int slot = 0;
  std::vector<int> partition;
  bool pinned = true;  // false: beyond the specification, anywhere in `partition`
};
using Team = std::vector<PlannedSlot>;

// The initial thread's.
PlannedSlot root_slot(const machine::Machine& machine);

// The size of the next team of a thread with this slot at `level`, "*" counted as "core"; 0 if the
// specification has no more.
int team_size(const machine::Machine& machine, const Rules& rules, int level,
              const PlannedSlot& primary);

// Whether so many threads of a team may share slots unsaid: as many as the program forks (a level
// of
// "*"), and no more than its primary thread's partition has hardware threads.
bool may_share(const machine::Machine& machine, const Rules& rules, int level,
               const PlannedSlot& primary, long threads);

// The team of `size` that the primary thread forks at `level`, for all levels that are not plain
// inner ones, those beyond the rules too.
Team plan_team(const machine::Machine& machine, const Rules& rules, int level,
               const PlannedSlot& primary, int size);

// plain_inner.cpp: all teams of a plain inner level, for its primary threads in path order, with a
// size for each.
std::vector<Team> plan_level(const machine::Machine& machine, const Rules& rules, int level,
                             const std::vector<PlannedSlot>& primaries,
                             const std::vector<int>& sizes);

}  // namespace nestbind::plan
