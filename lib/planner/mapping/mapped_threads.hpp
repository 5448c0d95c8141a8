// SPDX-License-Identifier: BSD-3-Clause
// The threads of a specification as a tree of teams, and the slots that the plan chose for them.
#pragma once

#include <vector>

#include "plan/team_plan.hpp"

namespace nestbind::mapping {

// A thread, and the team that the thread forks at the next level.
struct Thread {
  std::vector<int> path;     // thread numbers, from the outermost team on
  std::vector<int> members;  // the forked team; the thread itself is first. Empty at the last level
  int begin = 0;             // [begin, end) are the threads of the last level below this thread
  int end = 0;
  int shape = 0;  // equal for threads with equal inner teams
};

struct Threads {
  std::vector<Thread> all;  // parents before children; all[0] is the initial thread
  // For the threads of the last level, in path order:
  std::vector<int> index;  // in `all`
  std::vector<int> slot;   // in the plan

  // For messages: what they are called, and what has them.
  const char* word = "thread";
  const char* of = "the specification";

  int count() const { return static_cast<int>(slot.size()); }
};

// plan: must have the plain order.
Threads make_threads(plan::Plan& plan);

// Finds a thread of the last level, and returns an index into Threads::slot, or -1.
int find_thread(const Threads& threads, const std::vector<int>& path);

}  // namespace nestbind::mapping
