// SPDX-License-Identifier: BSD-3-Clause
// The team that a thread forks: who sits where.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "plan/rules.hpp"

namespace nestbind::plan {

// Where a thread sits, and the slots that it may hand on (ascending).
struct Seat {
  int slot = 0;
  std::vector<int> share;
  bool pinned = true;  // false: beyond the specification, anywhere in `share`
};
using Team = std::vector<Seat>;

// The initial thread's.
Seat root_seat(const machine::Machine& machine);

// The size of the next team of a thread with this seat at `level`; 0 if the rules have no more.
int team_size(const machine::Machine& machine, const Rules& rules, int level, const Seat& master);

// The team of `size` that the master forks at `level`, for all levels that are not plain inner
// ones, those beyond the rules too.
Team plan_team(const machine::Machine& machine, const Rules& rules, int level, const Seat& master,
               int size);

// plain_inner.cpp: all teams of a plain inner level, for its masters in path order, with a size for
// each.
std::vector<Team> plan_level(const machine::Machine& machine, const Rules& rules, int level,
                             const std::vector<Seat>& masters, const std::vector<int>& sizes);

}  // namespace nestbind::plan
