// SPDX-License-Identifier: BSD-3-Clause
// The sizes that a thread which forks from outside of regions has been given in each runtime.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "omp/runtime_sizes.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// Whether a thread has the sizes of a plan in a runtime.
inline bool has_sizes(const binding::Thread& thread, const omp::Calls& runtime,
                      const PlanInForce* plan) {
  for (const binding::Sized& sized : thread.sized) {
    if (sized.runtime == &runtime) {
      return sized.plan == plan;
    }
  }
  return false;
}

// How many levels a specification makes active in place of those that are; 0: these stay. Levels of
// "*" at its end are the program's own.
inline int levels_to_set(const spec::Spec& spec, int present) {
  const int active = spec.active_levels();
  return active < spec.levels && active <= present ? 0 : active;
}

// Gives the calling thread, which has not those of this plan, the sizes that it forks with by it.
// The runtime can be asked.
void bring_sizes(const omp::Calls& runtime, PlanInForce* plan);

// Gives the calling thread the sizes of a plan that it will fork from outside of regions. present:
// what it has until now.
void set_root_sizes(const omp::Calls& runtime, PlanInForce* plan, const omp::Sizes& present);

// The same, but a size that the program has chosen stays. The runtime can be asked.
void give_default_sizes(const omp::Calls& runtime, PlanInForce* plan);

// The size that it would get, or keep, of a runtime that says `told`.
int default_size(const omp::Calls& runtime, PlanInForce* plan, int told);

// The size of its next team in this runtime, which is `size`, without what it has been given.
int size_before(const omp::Calls& runtime, int size);

// Gives the calling thread back the sizes that it had before, where the program has not set others.
void give_sizes_back(const omp::Calls& runtime);

// A runtime may begin anew in a forked child.
void forget_sizes_in_child();

}  // namespace nestbind::placement
