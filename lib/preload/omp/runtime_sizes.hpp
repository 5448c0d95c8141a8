// SPDX-License-Identifier: BSD-3-Clause
// Team sizes as a runtime's own settings for a thread. None with NESTBIND_TEAM_SIZES=ignore.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

struct Sizes {
  int threads;  // of the thread's next team
  int levels;   // the maximum of active levels
};
Sizes sizes_of(const Calls& runtime);

// first: the thread's next team. levels: the maximum of active levels. 0 changes nothing.
void install_sizes(const Calls& runtime, int first, int levels);

// Restores the values from before install_sizes, except changed ones. In `set`, 0 means not set.
void give_sizes_back(const Calls& runtime, const Sizes& set, const Sizes& before);

// If there is no plan after all: without inner sizes, nested teams would have as many threads as
// processors. Replaces the levels that install_sizes has set by the usual ones; a runtime that is
// starting cannot be asked for its former levels.
void give_levels_back(const Calls& runtime, int levels);

// The sizes that a runtime begins with, from its variables and the process's mask. For a runtime
// that cannot be asked, since it is starting or its sizes were changed.
//
// level: how many regions are around the fork of the team.
int usual_threads(int level);
int usual_levels();
void install_usual_sizes(const Calls& runtime, int level);

// Whether this is the initial size of a thread's next team outside of regions.
bool is_usual(int threads);

}  // namespace nestbind::omp
