// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's partition, and the slots of the team that it is in or forks next. Used to
// place the memory of such a team.
#pragma once

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

struct OwnTeam {
  mask::CpuMask partition{};        // of the processors; no bits: not known
  int size = 1;                     // at least 1
  mask::CpuMask* places = nullptr;  // each member's mask; the caller frees it; null: not planned
};

// Describes the present team if that has two or more members, otherwise the next team. Without a
// place in a plan, the partition is what the process may use. Changes nothing, but may make plans
// and asks the runtime: do not call it on a hot path.
OwnTeam own_team();

// The processors that the process may use; no bits: not known.
mask::CpuMask process_partition();

}  // namespace nestbind::placement
