/* SPDX-License-Identifier: BSD-3-Clause */
/* A process with two OpenMP runtimes. Each runtime forks teams of its own, and teams inside a team
 * of the other runtime. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

enum { kRounds = 20 };

typedef struct {
  void (*nested)(Grid grid);
  void (*outer)(void (*inner)(int *), Grid grid);
  void (*inner)(int *row);
  void *runtime;
} Plugin;

static Plugin load(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  Plugin plugin;
  *(void **)&plugin.nested = dlsym(library, "plugin_nested");
  *(void **)&plugin.outer = dlsym(library, "plugin_outer");
  *(void **)&plugin.inner = dlsym(library, "plugin_inner");
  plugin.runtime = dlsym(library, "omp_get_thread_num");
  return plugin;
}

/* Prints the grid in the first round, and compares later grids with this one. */
static int same(const char *name, Grid grid, Grid first, int round) {
  if (round == 0) {
    memcpy(first, grid, sizeof(Grid));
    grid_print(name, grid);
    return 1;
  }
  return memcmp(first, grid, sizeof(Grid)) == 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    return 2;
  }
  const Plugin plugin[2] = {load(argv[1]), load(argv[2])};
  if (plugin[0].runtime == plugin[1].runtime) {
    fprintf(stderr, "both plugins use one runtime\n");
    return 2;
  }
  static Grid first[2][2];
  int good = 1;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < 2; ++i) {
      Grid grid;
      grid_clear(grid);
      plugin[i].nested(grid);
      good &=
          same(i == 0 ? "nested in the first" : "nested in the second", grid, first[i][0], round);
    }
    for (int i = 0; i < 2; ++i) {
      Grid grid;
      grid_clear(grid);
      plugin[i].outer(plugin[1 - i].inner, grid);
      good &= same(i == 0 ? "second in first" : "first in second", grid, first[i][1], round);
    }
  }
  printf("always the same: %s\n", good ? "yes" : "no");
  return good ? 0 : 1;
}
