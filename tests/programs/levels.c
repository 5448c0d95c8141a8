/* SPDX-License-Identifier: BSD-3-Clause */
/* levels DEPTH: prints omp_get_max_threads() before, in and after nested teams. At each level, the
 * first and the last thread print. Teams have the default sizes. */
#define _GNU_SOURCE
#include "show.h"

static void descend(const char *when, int depth) {
#pragma omp parallel
  {
    int level = omp_get_level();
    int number = omp_get_thread_num();
    int size = omp_get_num_threads();
    if (depth > 1 && (number == 0 || number == size - 1)) {
      int same = 1;
      for (int i = 1; i <= level; ++i) {
        int wanted = number == 0 ? 0 : omp_get_team_size(i) - 1;
        same = same && omp_get_ancestor_thread_num(i) == wanted;
      }
      if (same) {
#pragma omp critical
        say("%s level %d thread %d of %d: max %d active %d", when, level, number, size,
            omp_get_max_threads(), omp_get_max_active_levels());
      }
    }
    if (depth > 1) descend(when, depth - 1);
  }
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 2;
  say("before: max %d active %d", omp_get_max_threads(), omp_get_max_active_levels());
  descend("first", depth);
  say("between: max %d active %d", omp_get_max_threads(), omp_get_max_active_levels());
  descend("second", depth);
  say("after: max %d active %d", omp_get_max_threads(), omp_get_max_active_levels());
  return 0;
}
