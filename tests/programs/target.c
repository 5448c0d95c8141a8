/* SPDX-License-Identifier: BSD-3-Clause */
/* target SIZE INNER: forks teams inside a target construct that runs on the host. */
#define _GNU_SOURCE
#include "show.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int size = atoi(argv[1]);
  int inner = atoi(argv[2]);
#pragma omp target map(to : size, inner)
  {
#pragma omp parallel num_threads(size)
    {
#pragma omp parallel num_threads(inner)
      show("target");
    }
  }
#pragma omp target teams num_teams(1) thread_limit(64) map(to : size, inner)
  {
#pragma omp parallel num_threads(size)
    {
#pragma omp parallel num_threads(inner)
      show("target-teams");
    }
  }
#pragma omp parallel num_threads(size)
  {
#pragma omp parallel num_threads(inner)
    show("after");
  }
  return 0;
}
