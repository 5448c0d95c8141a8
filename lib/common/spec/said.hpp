// SPDX-License-Identifier: BSD-3-Clause
// Which sizes of a specification nestbind says as OMP_NUM_THREADS and OMP_MAX_ACTIVE_LEVELS.
#pragma once

#include "spec/spec.hpp"

namespace nestbind::spec {

// Returns the maximum of active levels for a specification, or 0 to keep `present`.
inline int levels_to_set(const Spec& spec, int present) {
  const int active = spec.active_levels();
  return active < spec.levels && active <= present ? 0 : active;
}

}  // namespace nestbind::spec
