// SPDX-License-Identifier: BSD-3-Clause
// The sizes of a specification as values of OMP_NUM_THREADS and OMP_MAX_ACTIVE_LEVELS.
#pragma once

#include <stdio.h>

#include "spec/spec.hpp"

namespace nestbind::spec {

inline constexpr int kMostSaid = 63;  // characters

// Returns the maximum of active levels for a specification, or 0 to keep `present`.
inline int levels_to_set(const Spec& spec, int present) {
  const int active = spec.active_levels();
  return active < spec.levels && active <= present ? 0 : active;
}

// Writes the sizes of the first levels, up to the first level without a number, such as "4,2".
// `first` is the size of the outermost team if the specification has no number for it, or 0. Writes
// nothing if there is no size, or too many. An inner word has no single number.
inline void write_sizes(const Spec& spec, int first, char (&text)[kMostSaid + 1]) {
  int used = 0;
  for (int i = 0; i < spec.levels && used < kMostSaid; ++i) {
    const int size = i == 0 && spec.level[i].size == 0 ? first : spec.level[i].size;
    if (size == 0) {
      break;
    }
    used += snprintf(text + used, sizeof text - static_cast<unsigned>(used), "%s%d",
                     i == 0 ? "" : ",", size);
  }
  text[used < kMostSaid ? used : 0] = '\0';
}

}  // namespace nestbind::spec
