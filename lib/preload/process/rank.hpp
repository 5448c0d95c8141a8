// SPDX-License-Identifier: BSD-3-Clause
// This process's rank, as its launcher reports it (lib/preload/ranks/launcher.hpp), and its part of
// the processors that it shares with other ranks of its node.
#pragma once

#include "mask/cpu_mask.hpp"

namespace nestbind::process {

// The number of this process in its MPI job, as the launcher reports it; null: no launcher.
const char* told_rank();

// The process's number on its node, from NESTBIND_RANKS; 0: not given.
int rank_by_hand();

struct Part {
  int local = 0;          // the number among the ranks of the node
  int of = 0;             // the number of ranks of the node; 0: not known
  const char* by = "";    // the source: a launcher, or NESTBIND_RANKS
  const char* kind = "";  // "divided", "own mask", "shared", "alone" or "not told"
  char why[160] = "";     // a few words
  mask::CpuMask cpus{};   // the machine of this process; no bits: not known
};

// The rank's part (lib/preload/placement/part.hpp). Null: not decided yet, or not a rank.
const Part* part();

// Must be called only once. Copies nothing: the part must stay at its address.
void set_part(const Part& part);

}  // namespace nestbind::process
