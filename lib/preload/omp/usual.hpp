// SPDX-License-Identifier: BSD-3-Clause
// The sizes that an OpenMP runtime begins with, as its variables and the process's mask say: for
// where it cannot be asked, as while it starts, or has been told others since.
#pragma once

namespace nestbind::omp {

// Of the team that a thread forks `level` regions deep.
int usual_threads(int level);
int usual_levels();

// Whether the size of a thread's next team is the one that it began with, outside of regions.
bool is_usual(int threads);

}  // namespace nestbind::omp
