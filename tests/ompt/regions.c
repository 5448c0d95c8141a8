/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested regions of many kinds, which the second tool watches. */
#include <stdio.h>

enum { kRounds = 20 };

static void inner_regions(long *sum) {
  long local = 0;
#pragma omp parallel reduction(+ : local)
  {
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 16; ++i) {
      local += i;
    }
#pragma omp sections
    {
#pragma omp section
      local += 1;
#pragma omp section
      local += 1;
    }
#pragma omp master
    local += 1;
#pragma omp barrier
#pragma omp single
    {
#pragma omp task shared(local)
      {
        long in_task = 0;
#pragma omp parallel num_threads(2) reduction(+ : in_task)
        in_task += 1;
#pragma omp atomic
        local += in_task > 0 ? 1 : 0;
      }
#pragma omp taskwait
    }
  }
#pragma omp parallel if (0) reduction(+ : local)
  {
    local += 1;
#pragma omp parallel num_threads(1) reduction(+ : local)
    local += 1;
  }
#pragma omp parallel for num_threads(3) reduction(+ : local)
  for (int i = 0; i < 16; ++i) {
    local += 1;
  }
#pragma omp atomic
  *sum += local;
}

int main(void) {
  long sum = 0;
  long members = 0;
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(3) shared(sum) reduction(+ : members)
    {
      members += 1;
      inner_regions(&sum);
    }
  }
  /* Each member adds 120 in the loop, 2 in sections, 1 in master and 1 in a task. It also adds 2 in
   * serial regions and 16 in the combined loop. */
  const int good = sum == members * (120 + 2 + 1 + 1 + 2 + 16) && members == 3 * kRounds;
  printf("regions: %s\n", good ? "right" : "wrong");
  return good ? 0 : 1;
}
