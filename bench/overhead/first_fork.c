/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the first fork of a process.
 *
 *   first_fork Y
 *
 * Forks a team of Y threads, and prints the microseconds from fork to join. The time includes the
 * start of the runtime. The environment must set the size Y. If Y is 0, the process never forks,
 * and prints nothing. */
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
  char *end = NULL;
  const long wanted = argc == 2 ? strtol(argv[1], &end, 10) : -1;
  if (wanted < 0 || *end != '\0') {
    fputs("usage: first_fork Y; Y of 0: no fork\n", stderr);
    return 2;
  }
  if (wanted == 0) return 0;
  int members = 0;
  const double begin = microseconds();
#pragma omp parallel
#pragma omp master
  members = omp_get_num_threads();
  const double lasted = microseconds() - begin;
  if (members != wanted) {
    fprintf(stderr, "first_fork: a team of %d, not of %ld\n", members, wanted);
    return 1;
  }
  printf("%.3f\n", lasted);
  return 0;
}
