// SPDX-License-Identifier: BSD-3-Clause
// Team sizes, as a runtime's own settings for the calling thread. Nothing is set with
// NESTBIND_TEAM_SIZES=ignore.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

// first: of the team that the thread forks next; 0: leave it. levels: how many are active.
void install_sizes(const Calls& runtime, int first, int levels);

// There is no plan after all, so no inner sizes: nested teams would have as many threads as there
// are processors. Gives back the levels that install_sizes has set; what the runtime had before
// cannot be asked while it starts.
void give_levels_back(const Calls& runtime, int levels);

}  // namespace nestbind::omp
