// SPDX-License-Identifier: BSD-3-Clause
// The job and the node of the calling process, which is a rank.
#pragma once

#include <cstdint>

#include "ranks/launcher.hpp"

namespace nestbind::ranks {

struct Job {
  std::uint64_t key;      // equal for all ranks of a job on a node, and for no other process
  std::uint64_t space;    // the namespace of process numbers
  bool is_below = false;  // of a tree: the calling process has an ancestor in it
};

// The key is a hash of the launcher's name of the job, and of facts about the node. One host may be
// several nodes, so the key includes Slurm's name of the node. If the launcher gives no name, the
// key includes the process that has started the ranks. `by` is null if the user gives the rank
// (NESTBIND_RANKS=LOCAL/OF).
Job find_job(const Launcher* by, int of);

// The tree of the calling process: all that one outermost `nestbind run` has started
// (NESTBIND_RUN), or else the topmost ancestor that has a specification or rules in its
// environment. Below each rank is a tree of its own. Dry runs are in other trees, one for each
// planned machine.
Job find_tree();

// Returns how many processes with the calling process's program its parent has started, with
// itself, or 0 if this is not known. Asks for the programs of a few of them only.
int siblings();

// Returns the lowest bits of a process's start time, in ticks, or 0 if the time is not known.
std::uint16_t start_of(long process);

// True if the process is running, and was started at the time `start`. If `start` is 0, the
// function does not compare times. The result for a zombie process is false.
bool is_running(long process, std::uint16_t start);

}  // namespace nestbind::ranks
