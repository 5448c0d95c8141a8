// SPDX-License-Identifier: BSD-3-Clause
// Which rank of its job this process is, as its launcher has written it
// (lib/preload/ranks/launcher.hpp), and what it has of the processors that it shares with other
// ranks of its node.
#pragma once

#include "mask/cpu_mask.hpp"

namespace nestbind::process {

// The number of this process in its MPI job, as the launcher has written it; null where none has.
const char* told_rank();

// The one on its node that NESTBIND_RANKS gives it; 0 where that gives none.
int rank_by_hand();

struct Part {
  int local = 0;          // the number among the ranks of the node
  int of = 0;             // and how many there are; 0: not told
  const char* by = "";    // who says it: a launcher, or NESTBIND_RANKS
  const char* kind = "";  // "divided", "own mask", "shared", "alone" or "not told"
  char why[160] = "";     // a few words
  mask::CpuMask cpus{};   // the machine of this process; no bits: not known
};

// Of a rank, once it is decided (lib/preload/placement/part.hpp); null before, and of other
// processes.
const Part* part();

// From now on; it stays where it is. Once.
void set_part(const Part& part);

}  // namespace nestbind::process
