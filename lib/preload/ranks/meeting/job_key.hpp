// SPDX-License-Identifier: BSD-3-Clause
// The job and the node of the calling process, which is a rank.
#pragma once

#include <cstdint>

#include "ranks/launcher.hpp"

namespace nestbind::ranks {

struct Job {
  std::uint64_t key;    // equal for all ranks of a job on a node, and for no other process
  std::uint64_t space;  // the namespace of process numbers
};

// Finds the key, which is made from the launcher's variable for the job, the host, the namespace of
// process numbers, and the number of ranks. Slurm's name of the node is added, because one host may
// be several nodes. If there is no variable for the job, the nearest ancestor that is not a rank is
// used, with its start time. `by` is null if the user gives the rank (NESTBIND_RANKS=LOCAL/OF).
Job find_job(const Launcher* by, int of);

// Returns the lowest bits of a process's start time, in ticks, or 0 if the time is not known.
std::uint16_t start_of(long process);

// Whether the process with this number still runs and was started at the time `start` (0: not
// known). A process that has ended counts as not running, even if its parent has not waited for it.
bool is_running(long process, std::uint16_t start);

}  // namespace nestbind::ranks
