/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeats the same fork, to count the cost of one fork.
 *
 *   warm_forks Y Z N
 *
 * If Z is 0, the outer team is forked N times. Otherwise each of Y threads forks a team of Z
 * threads N times. */
#include <omp.h>
#include <stdio.h>

#include "../team_sizes.h"

static long fork_often(long forks) {
  long members = 0;
  for (long i = 0; i < forks; ++i) {
#pragma omp parallel reduction(+ : members)
    members += 1;
  }
  return members;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fputs("usage: warm_forks Y Z N\n", stderr);
    return 2;
  }
  const long outer = number_argument(argv[1], 1, "a size of the outer team");
  const long inner = number_argument(argv[2], 0, "a size of the inner teams");
  const long forks = number_argument(argv[3], 0, "a number of forks");
  long members = 0;
  if (inner == 0) {
    members = fork_often(forks);
  } else {
#pragma omp parallel reduction(+ : members)
    members += fork_often(forks);
  }
  const long wanted = outer * forks * (inner == 0 ? 1 : inner);
  if (members != wanted) {
    fprintf(stderr, "warm_forks: %ld members, not %ld\n", members, wanted);
    return 1;
  }
  return 0;
}
