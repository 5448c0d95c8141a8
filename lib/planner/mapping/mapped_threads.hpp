// SPDX-License-Identifier: BSD-3-Clause
// The threads of a specification as a tree of teams, and the slots that the plan has chosen for
// them.
#pragma once

#include <vector>

#include "plan/team_plan.hpp"

namespace nestbind::mapping {

// A thread of some level, with the team that it forks at the next one.
struct Thread {
  std::vector<int> path;     // thread numbers, from the outermost team on
  std::vector<int> members;  // of its team, the thread itself first; empty at the last level
  int begin = 0;             // the threads of the last level below it: [begin, end)
  int end = 0;
  int shape = 0;  // the same for threads whose teams, and their teams, have the same sizes
};

struct Threads {
  std::vector<Thread> all;  // parents before children; all[0] is the initial thread
  // Of the last level, in path order:
  std::vector<int> index;  // in `all`
  std::vector<int> slot;   // as planned

  int count() const { return static_cast<int>(slot.size()); }
};

// With the specification's sizes. plan: in its plain order.
Threads make_threads(plan::Plan& plan);

// The number, at the last level, of the thread with this path; -1 where there is none.
int find_thread(const Threads& threads, const std::vector<int>& path);

}  // namespace nestbind::mapping
