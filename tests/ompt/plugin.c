/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that is compiled twice, for two OpenMP runtimes. */
#include "grid.h"

void plugin_nested(Grid grid) {
#pragma omp parallel
#pragma omp parallel
  grid[omp_get_ancestor_thread_num(1)][omp_get_thread_num()] = grid_processor();
}

void plugin_outer(void (*inner)(int *), Grid grid) {
#pragma omp parallel
  inner(grid[omp_get_thread_num()]);
}

void plugin_inner(int *row) {
#pragma omp parallel num_threads(2)
  row[omp_get_thread_num()] = grid_processor();
}
