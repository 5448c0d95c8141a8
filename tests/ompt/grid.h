/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processor each member of each inner team is bound to. */
#ifndef NESTBIND_TESTS_OMPT_GRID_H
#define NESTBIND_TESTS_OMPT_GRID_H

#include <nestbind/nestbind.h>
#include <stdio.h>

/* The library is preloaded, and not there when linking. */
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

/* The calling thread's processor; kGridUnbound if it may run on several. */
static inline int grid_processor(void) {
  int cpus[2];
  return nestbind_get_cpus(cpus, 2) == 1 ? cpus[0] : kGridUnbound;
}

/* One line: "NAME: 0 1 / 4 5"; "-" stands for unbound. */
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

/* Of the OpenMP interface: omp.h comes with one compiler, and these programs run on all runtimes.
 */
int omp_get_ancestor_thread_num(int level);
int omp_get_max_threads(void);
int omp_get_thread_num(void);

#endif
