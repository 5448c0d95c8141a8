// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Whether the calling thread is in no region, of whatever size, that a source has told of.
bool is_outside_regions();

// The level that the calling thread is at in a runtime; 0: outside of regions. Where our own record
// says that it is outside, the runtime is not asked.
inline int level_in(const omp::Calls& runtime) {
  return team::is_known_outside(runtime) ? 0 : runtime.get_level();
}

}  // namespace nestbind::placement
