/* SPDX-License-Identifier: BSD-3-Clause */
/* A team of two, in which each thread forks a team of two. */
#include <omp.h>

void tell(const char *label, int outer, int inner);

void region(const char *label) {
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
      tell(label, outer, omp_get_thread_num());
    }
  }
}
