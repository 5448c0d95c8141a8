// SPDX-License-Identifier: BSD-3-Clause
// The CPU quota of this process's cgroups, read when it is first asked for.
#pragma once

#include "support/cgroup.hpp"

namespace nestbind::process {

const support::CpuQuota& cpu_quota();

// How many threads the sizes that are words make at most, in product; 0: any number, since there is
// no quota, or nobody wants it or sizes, or the run is a dry one.
int quota();

// It is divided by that many ranks, at least 1 each.
void divide_quota(int ranks);
int ranks_of_quota();

}  // namespace nestbind::process
