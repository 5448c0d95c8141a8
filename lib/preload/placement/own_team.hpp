// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's partition, and where the team sits that it is in or forks next: for memory
// that such a team uses.
#pragma once

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

struct OwnTeam {
  mask::CpuMask partition{};        // of the processors; no bits: not known
  int size = 1;                     // at least 1
  mask::CpuMask* places = nullptr;  // of each member, for free(); null: not planned
};

// Of the present team, where that has two or more members, or else of the next one. Without a place
// in a plan the partition is what the process may use. May make plans, and asks the runtime: not on
// a warm path. Nothing is changed by it. The partition may be in `buffer`.
OwnTeam own_team(mask::MaskBuffer& buffer);

// The processors that the process may use; no bits: not known. They may be in `buffer`.
mask::CpuMask process_partition(mask::MaskBuffer& buffer);

}  // namespace nestbind::placement
