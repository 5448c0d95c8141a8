// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's partition, and the slots of its present or next team.
#pragma once

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

struct OwnTeam {
  mask::CpuMask partition{};
  int size = 1;
  mask::CpuMask* places = nullptr;  // each member's mask, freed by the caller; null if not planned
};

// Describes the calling thread's present team if it has two or more members, otherwise the thread's
// next team. If the thread has no place in a plan, the partition is all processors that the process
// may use. This partition may point into `buffer`.
OwnTeam own_team(mask::MaskBuffer& buffer);

// Returns the processors that the process may use, or a mask without bits if they are not known.
// The mask may point into `buffer`.
mask::CpuMask process_partition(mask::MaskBuffer& buffer);

}  // namespace nestbind::placement
