/* SPDX-License-Identifier: BSD-3-Clause */
/* taken N: a team of two shares one loop of N iterations with schedule(runtime). */
#include <omp.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 0;
  int sum = 0;
#pragma omp parallel for num_threads(2) schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < count; ++i) {
    sum += i % 2;
  }
  return sum != count / 2;
}
