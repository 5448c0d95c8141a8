// SPDX-License-Identifier: BSD-3-Clause
// Several threads may fork outside of regions. Only one of them, the owner, forks by the plan.
#pragma once

#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

bool plan_has_owner();

// Returns the plan's root if the thread owns the plan, otherwise g_unmanaged_root. Returns null if
// there is no specification.
const Place* root_fork(const omp::Calls& runtime);

// True if the calling thread is outside of regions and owns the plan. Outside of regions, the
// thread becomes the owner if the plan has no owner.
bool forks_as_owner(const omp::Calls& runtime);

// If the calling thread is not the owner, the plan loses its owner.
void keep_owner_in_child();

}  // namespace nestbind::placement
