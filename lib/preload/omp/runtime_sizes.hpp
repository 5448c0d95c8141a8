// SPDX-License-Identifier: BSD-3-Clause
// Sets a runtime's team sizes for the calling thread.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

struct Sizes {
  int threads;
  int levels;
};
Sizes sizes_of(const Calls& runtime);

// `first` is the size of the thread's next team. If a size is 0, the runtime's value stays.
void install_sizes(const Calls& runtime, int first, int levels);

// Restores the initial number of active levels if it is still `levels`. Otherwise each unplanned
// inner team would have a thread for each processor.
void give_levels_back(const Calls& runtime, int levels);

// The sizes that a runtime has by the user's own variables and the process's mask.
//
// `level` is the number of regions around the fork.
int usual_threads(int level);
int usual_levels();
void install_usual_sizes(const Calls& runtime, int level);

// The sizes with which a runtime starts: by the variables as they are, also if nestbind has set
// them.
Sizes first_sizes();

// True if `threads` is the initial size of an outermost team.
bool is_usual(int threads);

}  // namespace nestbind::omp
