// SPDX-License-Identifier: BSD-3-Clause
// Threads that fork from outside of regions: which one owns the plan.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

bool plan_has_owner();

// The place that a root thread hands on: the plan's root for the owner, g_unmanaged_root for
// others; null without a specification.
const Place* root_fork(const omp::Calls& runtime);

// Whether the calling thread, outside of regions of this runtime, may fork by a plan: it owns the
// plan, or comes to, or nobody does.
bool forks_as_owner(const omp::Calls& runtime);

// What the owner's thread has is gone in a forked child, unless it is the calling thread.
void keep_owner_in_child();

}  // namespace nestbind::placement
