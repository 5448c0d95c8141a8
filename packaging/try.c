/* SPDX-License-Identifier: BSD-3-Clause */
#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
#pragma omp single
  printf("%d threads\n", omp_get_num_threads());
  return 0;
}
