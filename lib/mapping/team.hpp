// SPDX-License-Identifier: BSD-3-Clause
// One team alone: its members, what goes between them and all below them, and its seats.
#pragma once

#include <vector>

#include "mapping/placement.hpp"

namespace nestbind::mapping {

struct Team {
  int size = 0;
  std::vector<Pair> pairs;  // between members and all below them, a < b
  std::vector<int> slots;   // of each seat, the first
  std::vector<int> shapes;  // of members, and of the seats of their numbers
  std::vector<std::vector<double>>
      pull;  // [member][seat]: what goes to threads outside costs there
};

// thread: an index into Threads::all, with members.
Team team_of(const Problem& problem, const Placement& placement, int thread);

}  // namespace nestbind::mapping
