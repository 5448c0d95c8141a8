/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread has initialised two arrays, and a team uses them. Each thread of the team uses its own
 * part of the array `grid`. All threads read the whole array `table`.
 *
 *   gcc -O2 -fopenmp memory_of_arrays.c $(pkg-config --cflags --libs nestbind) \
 *       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o memory_of_arrays
 *
 * nestbind memory -- ./program shows which arrays need such a call.
 */
#include <nestbind/memory.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNumbers = 1 << 21, kEntries = 1 << 16, kNodes = 8 };

static void tell(const char *what, int error) {
  if (error != NESTBIND_OK) {
    fprintf(stderr, "%s: %s\n", what, nestbind_strerror(error));
  }
}

int main(void) {
  double *grid = malloc(kNumbers * sizeof *grid);
  double *table = malloc(kEntries * sizeof *table);
  if (grid == NULL || table == NULL) {
    return 1;
  }
  for (int i = 0; i < kNumbers; ++i) {
    grid[i] = i; /* stands for reading a file; all pages are now on this thread's node */
  }
  for (int i = 0; i < kEntries; ++i) {
    table[i] = 1.0 / (i + 1);
  }

  tell("grid", nestbind_memory_spread(grid, kNumbers * sizeof *grid, NESTBIND_BLOCK));
  struct nestbind_replicas *copies = NULL;
  const int error = nestbind_memory_replicate(table, kEntries * sizeof *table, &copies);
  tell("table", error);

  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const double *own = copies != NULL ? nestbind_memory_local(copies) : table;
#pragma omp for schedule(static)
    for (int i = 0; i < kNumbers; ++i) {
      grid[i] *= own[i % kEntries];
      sum += grid[i];
    }
  }
  nestbind_memory_release(copies);

  size_t pages[kNodes];
  tell("where", nestbind_memory_where(grid, kNumbers * sizeof *grid, pages, kNodes));
  for (int node = 0; node < kNodes; ++node) {
    if (pages[node] > 0) {
      printf("node %d: %zu pages\n", node, pages[node]);
    }
  }
  printf("sum %.3e\n", sum);
  free(table);
  free(grid);
  return 0;
}
