// SPDX-License-Identifier: BSD-3-Clause
// The job and the node of the calling process, which is a rank.
#pragma once

#include <cstdint>

#include "ranks/launcher.hpp"

namespace nestbind::ranks {

struct Job {
  std::uint64_t key;    // the same for all ranks of a job on a node, and for no others
  std::uint64_t space;  // the namespace of process numbers
};

// Finds the key from: the launcher's variable for the job, or else the nearest ancestor that is not
// a rank and its start time; the host; Slurm's name of the node, since one host may be several
// nodes; the namespace of process numbers; and the number of ranks. by: null if the user gives the
// rank (NESTBIND_RANKS=LOCAL/OF).
Job find_job(const Launcher* by, int of);

// The start time of a process in ticks, its lowest bits; 0: not known.
std::uint16_t start_of(long process);

// Whether the process with this number started at that time (0: not known) and still runs. A
// process that has ended does not run, even if its parent has not waited for it.
bool is_running(long process, std::uint16_t start);

}  // namespace nestbind::ranks
