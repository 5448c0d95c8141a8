// SPDX-License-Identifier: BSD-3-Clause
// Sets a runtime's team sizes for the calling thread, unless NESTBIND_TEAM_SIZES is "ignore".
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

struct Sizes {
  int threads;
  int levels;
};
Sizes sizes_of(const Calls& runtime);

// first: size of the thread's next team. 0 changes nothing.
void install_sizes(const Calls& runtime, int first, int levels);

// A value that differs from `set` was changed by the program, and is not restored.
void give_sizes_back(const Calls& runtime, const Sizes& set, const Sizes& before);

// If the maximum of active levels is `levels`, restores the runtime's initial maximum. With
// the maximum of a plan, unplanned inner teams have a thread for each processor.
void give_levels_back(const Calls& runtime, int levels);

// The initial sizes of a runtime, computed from its variables and the process's mask.
//
// level: the number of regions around the fork of the team.
int usual_threads(int level);
int usual_levels();
void install_usual_sizes(const Calls& runtime, int level);

// Whether `threads` is the initial size of teams that are forked outside of regions.
bool is_usual(int threads);

}  // namespace nestbind::omp
