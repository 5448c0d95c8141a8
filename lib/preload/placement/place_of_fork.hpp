// SPDX-License-Identifier: BSD-3-Clause
// Finds the place where a team forks: by the region's rule, in the part of the root thread, or at
// the thread's own place in its team. placed_forks.cpp is the consumer of forks that asks for it.
#pragma once

#include "placement/region_rules.hpp"
#include "places/place.hpp"

namespace nestbind::placement {

// Returns the place where the calling thread's next team forks, or null if nothing is specified.
// The place has no plan if the team runs unbound. `rule` is null if the region has none. `asked` is
// the number of threads that the runtime is asked for, or 0 if not known.
const Place* place_of_fork(const omp::Calls& runtime, const RegionRule* rule, unsigned asked);

// A team that is larger than its part of the machine is not squeezed into it: its threads run
// unbound until the region ends. Returns `place`, or the place of an unbound team. `place` is where
// a team of `asked` threads forks; 0: of omp_get_max_threads(). LLVM's runtime tells the size
// later, so for its teams the first function returns `place`, and the second one decides.
const Place* place_that_fits(const omp::Calls& runtime, const Place* place, unsigned asked);
const Place* place_that_fits(const Place& place, int size);

// In a team with a rule, and in its inner teams, the rule "*" is ignored. The team's own rule is
// ignored there, too, because the source lines of a rule may contain inner regions.
bool follows_rule(const Place* place, const RegionRule& rule);

// Returns the place where the calling thread, which is outside of regions, would fork a team by the
// plan in force. Returns null if there is none. Does not make the thread a root thread.
const Place* place_outside();

}  // namespace nestbind::placement
