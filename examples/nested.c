/* SPDX-License-Identifier: BSD-3-Clause */
/* Two nested teams whose threads print where they run. The program does not call nestbind:
 *
 *   gcc -O2 -fopenmp nested.c -o nested
 *   nestbind run 2,scatter,2,subcompact -- ./nested
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
#pragma omp parallel
    {
#pragma omp critical
      printf("thread %d.%d of %d.%d on processor %d\n", omp_get_ancestor_thread_num(1),
             omp_get_ancestor_thread_num(2), omp_get_team_size(1), omp_get_team_size(2),
             sched_getcpu());
    }
  }
  return 0;
}
