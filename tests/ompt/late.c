/* SPDX-License-Identifier: BSD-3-Clause */
/* The program sets its first specification long after the OpenMP runtime has started. */
#include "grid.h"

static void fork_teams(const char *name) {
  Grid grid;
  grid_clear(grid);
  printf("max %d, ", omp_get_max_threads());
#pragma omp parallel
#pragma omp parallel
  grid[omp_get_ancestor_thread_num(1)][omp_get_thread_num()] = grid_processor();
  grid_print(name, grid);
}

int main(void) {
  Grid unbound;
  grid_clear(unbound);
#pragma omp parallel num_threads(2)
  unbound[0][omp_get_thread_num()] = grid_processor();
  grid_print("before", unbound);

  omp_set_nesting_info("4,scatter,2,subcompact");
  fork_teams("first");
  fork_teams("again");
  omp_set_nesting_info("2,scatter,4,subscatter");
  fork_teams("other");
  return 0;
}
