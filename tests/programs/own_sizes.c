/* SPDX-License-Identifier: BSD-3-Clause */
/* own_sizes OUTER CALLER SIZE: thread CALLER of a team calls omp_set_num_threads(SIZE). The next
 * outer team and its inner teams have the default sizes. */
#define _GNU_SOURCE
#include "show.h"

static void inner(const char *label) {
#pragma omp parallel
  show(label);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int outer = atoi(argv[1]);
  int caller = atoi(argv[2]);
  int size = atoi(argv[3]);
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(outer)
    {
      inner("before");
#pragma omp barrier
      if (omp_get_thread_num() == caller) omp_set_num_threads(size);
      inner("called");
    }
  }
  return 0;
}
