// SPDX-License-Identifier: BSD-3-Clause
// libgomp's lines of OMP_DISPLAY_AFFINITY. The primary thread prints them for the whole team when
// it forks, before members are bound. So we drop these lines, and the members print their own.
#pragma once

#include "instrument/gomp/gomp_runtime.hpp"
#include "omp/runtime_affinity.hpp"

namespace nestbind::gomp {

// Called by the encountering thread at its fork, and by each thread in its region.
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
