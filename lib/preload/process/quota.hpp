// SPDX-License-Identifier: BSD-3-Clause
// The CPU quota of this process's cgroups, read at the first call.
#pragma once

#include "support/cgroup.hpp"

namespace nestbind::process {

const support::CpuQuota& cpu_quota();

// Returns the number of threads that the quota allows, or 0 if there is no limit.
int quota();

// Divides the quota by the number of ranks.
void divide_quota(int ranks);
int ranks_of_quota();

}  // namespace nestbind::process
