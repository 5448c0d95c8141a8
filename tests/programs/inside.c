/* SPDX-License-Identifier: BSD-3-Clause */
/* inside OUTER CALLER SPEC INNER [SIZE]: forks a team of OUTER. Each member forks two teams, and
 * thread CALLER sets SPEC between them. Then the program forks all teams once more. INNER is the
 * size of the inner teams (0 for the default size). SIZE is the size of the third level. */
#define _GNU_SOURCE
#include "show.h"

static void innermost(const char *label, int size) {
  if (size == 0) {
    show(label);
    return;
  }
#pragma omp parallel num_threads(size)
  show(label);
}

static void inner(const char *label, int size, int below) {
  if (size == 0) {
#pragma omp parallel
    innermost(label, below);
  } else {
#pragma omp parallel num_threads(size)
    innermost(label, below);
  }
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  int outer = atoi(argv[1]);
  int caller = atoi(argv[2]);
  int size = atoi(argv[4]);
  int below = argc > 5 ? atoi(argv[5]) : 0;
#pragma omp parallel num_threads(outer)
  {
    inner("before", size, below);
#pragma omp barrier
    if (omp_get_thread_num() == caller && omp_set_nesting_info != NULL) {
      int error = omp_set_nesting_info(argv[3]);
      if (error != NESTBIND_OK) say("error %d", error);
      show("caller");
    }
#pragma omp barrier
    inner("changed", size, below);
    inner("again", size, below);
  }
#pragma omp parallel num_threads(outer)
  inner("after", size, below);
  return 0;
}
