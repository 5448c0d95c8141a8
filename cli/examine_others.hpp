// SPDX-License-Identifier: BSD-3-Clause
// What the doctor says of other processes on the same processors.
#pragma once

#include <vector>

#include "cli/findings.hpp"

namespace nestbind::cli {

// The processes of this user (for root, of all users) that tell where their threads are placed
// (NESTBIND_PUBLISH), have some on these processors, ascending, and are no ranks of a job, which
// divide processors themselves. process: one that is left out; 0: none.
void examine_others(const std::vector<int>& cpus, int process, Findings& findings);

// The processors on which a process tells that its threads are placed, ascending; none where it
// does not tell.
std::vector<int> placed_processors(int process);

}  // namespace nestbind::cli
