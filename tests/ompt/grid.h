/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor to which each member of each inner team is bound. */
#ifndef NESTBIND_TESTS_OMPT_GRID_H
#define NESTBIND_TESTS_OMPT_GRID_H

#include <nestbind/nestbind.h>
#include <stdio.h>

/* Weak, because the library is preloaded and not linked. */
#pragma weak nestbind_get_cpus
#pragma weak omp_set_nesting_info

enum { kGridTeams = 8, kGridMembers = 8, kGridUnused = -1, kGridUnbound = -2 };
typedef int Grid[kGridTeams][kGridMembers];

static inline void grid_clear(Grid grid) {
  for (int team = 0; team < kGridTeams; ++team) {
    for (int member = 0; member < kGridMembers; ++member) {
      grid[team][member] = kGridUnused;
    }
  }
}

/* Returns the processor to which the calling thread is bound, or kGridUnbound if the mask has
 * several processors. */
static inline int grid_processor(void) {
  int cpus[2];
  return nestbind_get_cpus(cpus, 2) == 1 ? cpus[0] : kGridUnbound;
}

/* Prints a line with a processor for each thread: "NAME: 0 1 / 4 5". A "-" means that the thread is
 * unbound. */
static inline void grid_print(const char *name, Grid grid) {
  printf("%s:", name);
  for (int team = 0; team < kGridTeams && grid[team][0] != kGridUnused; ++team) {
    printf(team > 0 ? " /" : "");
    for (int member = 0; member < kGridMembers && grid[team][member] != kGridUnused; ++member) {
      if (grid[team][member] == kGridUnbound) {
        printf(" -");
      } else {
        printf(" %d", grid[team][member]);
      }
    }
  }
  printf("\n");
  fflush(stdout);
}

/* The programs run on all runtimes, but omp.h belongs to one compiler. */
int omp_get_ancestor_thread_num(int level);
int omp_get_max_threads(void);
int omp_get_thread_num(void);

#endif
