// SPDX-License-Identifier: BSD-3-Clause
// Team sizes, as a runtime's own settings for the calling thread. Nothing is set with
// NESTBIND_TEAM_SIZES=ignore.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

struct Sizes {
  int threads;  // of the team that the thread forks next
  int levels;   // how many are active
};
Sizes sizes_of(const Calls& runtime);

// first: of the team that the thread forks next; 0: leave it. levels: how many are active;
// 0: likewise.
void install_sizes(const Calls& runtime, int first, int levels);

// Gives back what the runtime had before, where it still has what was set (0: nothing was).
void give_sizes_back(const Calls& runtime, const Sizes& set, const Sizes& before);

// There is no plan after all, so no inner sizes: nested teams would have as many threads as there
// are processors. Gives back the levels that install_sizes has set; what the runtime had before
// cannot be asked while it starts.
void give_levels_back(const Calls& runtime, int levels);

// The sizes that a runtime begins with, as its variables and the process's mask say: for where it
// cannot be asked, as while it starts, or has been told others since.
//
// Of the team that a thread forks `level` regions deep.
int usual_threads(int level);
int usual_levels();
void install_usual_sizes(const Calls& runtime, int level);

// Whether the size of a thread's next team is the one that it began with, outside of regions.
bool is_usual(int threads);

}  // namespace nestbind::omp
