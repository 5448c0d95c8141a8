// SPDX-License-Identifier: BSD-3-Clause
// Threads that fork from outside of regions: which one owns the plan, and the sizes that it has.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "omp/sizes.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

bool plan_has_owner();

// The place that a root thread hands on: the plan's root for the owner, g_apart_root for others;
// null without a specification.
const Place* root_fork(const omp::Calls& runtime);

// Whether a thread has the sizes of a plan in a runtime.
bool has_sizes(const binding::Thread& thread, const omp::Calls& runtime, const PlanInForce* plan);

// Gives the calling thread the sizes of a plan that it will fork from outside of regions. present:
// what it has until now.
void set_root_sizes(const omp::Calls& runtime, PlanInForce* plan, const omp::Sizes& present);

// The same, but a size that the program has chosen stays. The runtime can be asked.
void give_default_sizes(const omp::Calls& runtime, PlanInForce* plan);

// Gives the calling thread back the sizes that it had before, where the program has not set others.
void give_sizes_back(const omp::Calls& runtime);

// What the owner's thread has is gone in a forked child, unless it is the calling thread.
void keep_owner_in_child();

}  // namespace nestbind::placement
