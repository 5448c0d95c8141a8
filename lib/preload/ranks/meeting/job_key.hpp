// SPDX-License-Identifier: BSD-3-Clause
// Which job the calling process is a rank of, on which node.
#pragma once

#include <cstdint>

#include "ranks/launcher.hpp"

namespace nestbind::ranks {

struct Job {
  std::uint64_t key;    // the same for all ranks of a job on a node, and for no others
  std::uint64_t space;  // the namespace of process numbers
};

// The job by its launcher's variable, or by the nearest ancestor that is no rank and when that was
// started; the host, Slurm's name of the node, for one host may be several, and the namespace of
// process numbers; and how many ranks there are. by: null, where the user says it
// (NESTBIND_RANKS=LOCAL/OF).
Job find_job(const Launcher* by, int of);

// When a process was started, in ticks, the lowest bits; 0 where that is not known.
std::uint16_t start_of(long process);

// Whether a process that is there is the one that was started then (0: not known), and has not
// ended: one that nobody has waited for yet is still there.
bool is_running(long process, std::uint16_t start);

}  // namespace nestbind::ranks
