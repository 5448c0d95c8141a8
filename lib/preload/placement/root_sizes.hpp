// SPDX-License-Identifier: BSD-3-Clause
// The team sizes that nestbind has set for a root thread in each runtime.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "omp/runtime_sizes.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

inline bool has_sizes(const binding::Thread& thread, const omp::Calls& runtime,
                      const PlanInForce* plan) {
  for (const binding::Sized& sized : thread.sized) {
    if (sized.runtime == &runtime) {
      return sized.plan == plan;
    }
  }
  return false;
}

// Returns the maximum of active levels for a specification, or 0 to keep `present`.
inline int levels_to_set(const spec::Spec& spec, int present) {
  const int active = spec.active_levels();
  return active < spec.levels && active <= present ? 0 : active;
}

// Sets this plan's sizes for the calling thread, once.
void bring_sizes(const omp::Calls& runtime, PlanInForce* plan);

// Sets the sizes of the plan for the thread's next fork outside of regions. `present` has the
// runtime's sizes before this call.
void set_root_sizes(const omp::Calls& runtime, PlanInForce* plan, const omp::Sizes& present);

// Like set_root_sizes, but keeps a size that the program has chosen. The runtime must have started.
void give_default_sizes(const omp::Calls& runtime, PlanInForce* plan);

// Returns the next team's size after a call of give_default_sizes.
int default_size(const omp::Calls& runtime, PlanInForce* plan, int told);

// Returns the earlier size if nestbind has reduced it to `size`. Otherwise returns `size`.
int size_before(const omp::Calls& runtime, int size);

// Restores the calling thread's earlier sizes. Sizes that the program has set since then stay.
void give_sizes_back(const omp::Calls& runtime);

// In a forked child, a runtime may start again with its initial sizes.
void forget_sizes_in_child();

}  // namespace nestbind::placement
