// SPDX-License-Identifier: BSD-3-Clause
// The sizes that a root thread has been given in each runtime.
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

// How many active levels a specification sets if the runtime has `present` levels; 0: `present`
// stays. Levels of "*" at the end of a specification are left to the program.
inline int levels_to_set(const spec::Spec& spec, int present) {
  const int active = spec.active_levels();
  return active < spec.levels && active <= present ? 0 : active;
}

// Gives the calling thread this plan's sizes, once. The runtime must answer calls.
void bring_sizes(const omp::Calls& runtime, PlanInForce* plan);

// Gives the thread the sizes of the plan for its next fork outside of regions. present: the
// thread's old sizes.
void set_root_sizes(const omp::Calls& runtime, PlanInForce* plan, const omp::Sizes& present);

// Like set_root_sizes, but a size that the program has chosen stays. The runtime must answer calls.
void give_default_sizes(const omp::Calls& runtime, PlanInForce* plan);

// The size that the thread would have after give_default_sizes, if the runtime reports `told`.
int default_size(const omp::Calls& runtime, PlanInForce* plan, int told);

// The size that the thread's next team would have without nestbind. size: the runtime's answer.
int size_before(const omp::Calls& runtime, int size);

// Gives the calling thread back its earlier sizes, unless the program has set other sizes.
void give_sizes_back(const omp::Calls& runtime);

// For a forked child, in which a runtime may start anew.
void forget_sizes_in_child();

}  // namespace nestbind::placement
