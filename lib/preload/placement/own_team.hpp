// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's partition, and the slots of its present or next team. Used to place memory.
#pragma once

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

struct OwnTeam {
  mask::CpuMask partition{};        // its processors; no bits: not known
  int size = 1;                     // at least 1
  mask::CpuMask* places = nullptr;  // each member's mask; the caller frees it; null: not planned
};

// Describes the present team if it has two or more members, otherwise the next team. Without a
// place in a plan, the partition is the processors that the process may use; this mask may point
// into `buffer`. Slow: it may make plans, and asks the runtime.
OwnTeam own_team(mask::MaskBuffer& buffer);

// The processors that the process may use; no bits: not known. The mask may point into `buffer`.
mask::CpuMask process_partition(mask::MaskBuffer& buffer);

}  // namespace nestbind::placement
