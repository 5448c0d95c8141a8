/* SPDX-License-Identifier: BSD-3-Clause */
/* A league of teams is no level: a team forked inside it is an outermost team. */
#include "grid.h"

int main(void) {
  Grid grid;
  grid_clear(grid);
#pragma omp teams num_teams(1) thread_limit(16) shared(grid)
  {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    grid[omp_get_ancestor_thread_num(1)][omp_get_thread_num()] = grid_processor();
  }
  grid_print("league", grid);
  return 0;
}
