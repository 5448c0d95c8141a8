/* SPDX-License-Identifier: BSD-3-Clause */
/* tasks MODE OUTER INNER: explicit tasks fork teams. One thread makes OUTER tasks. The tasks wait
 * for each other, so every member runs one task.
 *   deferred    tasks of a team
 *   undeferred  task if(0), on the thread that makes it
 *   untied      untied tasks
 *   loop        taskloop, one iteration in each task
 *   deep        tasks of inner teams that fork a third level */
#define _GNU_SOURCE
#include <string.h>

#include "show.h"

static int g_arrived = 0;
static int g_arrived_below[64];

static void team(const char *label, int size) {
#pragma omp parallel num_threads(size)
  show(label);
}

static void deferred(int outer, int inner) {
#pragma omp parallel num_threads(outer)
#pragma omp single nowait
  for (int i = 0; i < outer; ++i) {
#pragma omp task
    {
      show_meet(&g_arrived, outer);
      team("task", inner);
    }
  }
}

static void untied(int outer, int inner) {
#pragma omp parallel num_threads(outer)
#pragma omp single nowait
  for (int i = 0; i < outer; ++i) {
#pragma omp task untied
    {
      show_meet(&g_arrived, outer);
      team("untied", inner);
    }
  }
}

static void undeferred(int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp task if (0)
    team("undeferred", inner);
#pragma omp task final(1) if (0)
    team("undeferred", inner);
  }
}

static void loop(int outer, int inner) {
#pragma omp parallel num_threads(outer)
#pragma omp single nowait
#pragma omp taskloop grainsize(1) nogroup
  for (int i = 0; i < outer; ++i) {
    show_meet(&g_arrived, outer);
    team("taskloop", inner);
  }
}

static void deep(int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
#pragma omp single nowait
      for (int i = 0; i < inner; ++i) {
#pragma omp task
        {
          show_meet(&g_arrived_below[omp_get_ancestor_thread_num(1)], inner);
          team("deep", 2);
        }
      }
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const char *mode = argv[1];
  int outer = atoi(argv[2]);
  int inner = atoi(argv[3]);
  if (strcmp(mode, "deferred") == 0) deferred(outer, inner);
  if (strcmp(mode, "untied") == 0) untied(outer, inner);
  if (strcmp(mode, "undeferred") == 0) undeferred(outer, inner);
  if (strcmp(mode, "loop") == 0) loop(outer, inner);
  if (strcmp(mode, "deep") == 0) deep(outer, inner);
  return 0;
}
