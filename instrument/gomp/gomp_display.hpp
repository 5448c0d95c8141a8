// SPDX-License-Identifier: BSD-3-Clause
// Drops libgomp's lines of OMP_DISPLAY_AFFINITY, and lets the members print their own lines.
// libgomp would print all lines of a team at the fork, before the members are bound.
#pragma once

#include "instrument/gomp/gomp_runtime.hpp"
#include "omp/runtime_affinity.hpp"

namespace nestbind::gomp {

void keep_lines_back(const Runtime& runtime);
void keep_no_more();

inline void fork_begins(const Runtime& runtime) {
  if (runtime.is_gnu && omp::displays_affinity(true)) {
    keep_lines_back(runtime);
  }
}

inline void fork_is_done() {
  if (omp::some_lines_are_taken()) {
    keep_no_more();
  }
}

}  // namespace nestbind::gomp
