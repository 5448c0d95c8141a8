// SPDX-License-Identifier: BSD-3-Clause
// Several threads may fork outside of regions. Only one of them, the owner, forks by the plan.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

bool plan_has_owner();

// Where a root thread forks from: the plan's root for the owner, g_unmanaged_root for other
// threads; null without a specification.
const Place* root_fork(const omp::Calls& runtime);

// Whether the calling thread, outside of regions of this runtime, may fork by a plan: it owns the
// plan, or becomes its owner now because the plan had no owner.
bool forks_as_owner(const omp::Calls& runtime);

// For a forked child: no thread owns the plan any more, unless the calling thread is the owner.
void keep_owner_in_child();

}  // namespace nestbind::placement
