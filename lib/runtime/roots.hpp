// SPDX-License-Identifier: BSD-3-Clause
// Threads that fork from outside of regions: which one owns the plan, and what sizes they get.
#pragma once

#include "runtime/plans.hpp"

namespace nestbind::runtime {

bool plan_has_owner();

// The place that a root thread hands on: the plan's root for the owner, g_apart_root for others;
// null without a specification.
const Place* root_fork(const OmpCalls& omp);

// Whether a thread has the sizes of a plan in a runtime.
bool has_sizes(const Thread& thread, const OmpCalls& omp, const Plan* plan);

// Gives the calling thread the sizes of a plan that it will fork from outside of regions.
void set_root_sizes(const OmpCalls& omp, Plan* plan);

// Sets sizes for the calling thread in a runtime: that of the team which it forks next (0: leave
// it), and the number of active levels. Nothing with NESTBIND_TEAM_SIZES=ignore.
void install_sizes(const OmpCalls& omp, int first_size, int levels);

// What the owner's thread has is gone in a forked child, unless it is the calling thread.
void keep_owner_in_child();

}  // namespace nestbind::runtime
