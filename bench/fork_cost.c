/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fork costs: an empty region, forked again and again, for comparing the same program with
 * and without a library preloaded. Prints a sample on each line: microseconds for one fork.
 *
 *   fork_cost Y 0 [SAMPLES [TARGET]]   outermost teams of Y
 *   fork_cost Y Z [SAMPLES [TARGET]]   inner teams of Z, forked by Y outer threads at the same
 * time; a sample is that of the slowest of them
 *
 * A sample has as many forks as take TARGET microseconds. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "team_sizes.h"

enum { kSamples = 11, kTargetMicroseconds = 10000, kFewestForks = 16, kMostForks = 1 << 24 };

static double g_slowest;

/* All members of a team call this together. Returns to each the microseconds that one fork took
 * the slowest of them. */
static double time_forks(long count) {
#pragma omp barrier
  const double begin = omp_get_wtime();
  for (long i = 0; i < count; ++i) {
#pragma omp parallel
    __asm__ volatile("" ::: "memory"); /* a region that no compiler removes */
  }
  const double own = 1e6 * (omp_get_wtime() - begin) / (double)count;
#pragma omp critical
  if (own > g_slowest) g_slowest = own;
#pragma omp barrier
  const double slowest = g_slowest;
#pragma omp barrier
#pragma omp master
  g_slowest = 0;
  return slowest;
}

/* All members of a team call this together. */
static void print_samples(int samples, double target) {
  long count = kFewestForks;
  while (count < kMostForks && time_forks(count) * (double)count < target) count *= 2;
  for (int i = 0; i < samples; ++i) {
    const double microseconds = time_forks(count);
#pragma omp master
    printf("%.4f\n", microseconds);
  }
}

/* Returns whether the teams had the wanted sizes. */
static bool print_inner_samples(const struct team_sizes *sizes, int samples, double target) {
  bool right = true;
#pragma omp parallel
  {
    set_inner_size(sizes);
    int inner = 0;
#pragma omp parallel
#pragma omp master
    inner = omp_get_num_threads();
    if (omp_get_num_threads() != sizes->outer || inner != sizes->inner) {
#pragma omp atomic write
      right = false;
    }
    print_samples(samples, target);
  }
  return right;
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 5) {
    fputs("usage: fork_cost Y Z [SAMPLES [TARGET]]; Z of 0: forks of the outer team only\n",
          stderr);
    return 2;
  }
  const struct team_sizes sizes = {
      .outer = (int)number_argument(argv[1], 1, "a number of outer threads"),
      .inner = (int)number_argument(argv[2], 0, "a size of the inner teams"),
      .set_by_program = !specification_sets_sizes()};
  const int samples = argc > 3 ? (int)number_argument(argv[3], 1, "samples") : kSamples;
  const double target =
      (double)(argc > 4 ? number_argument(argv[4], 1, "microseconds") : kTargetMicroseconds);
  set_outer_size(&sizes);
  bool right = omp_get_max_threads() == sizes.outer;
  if (sizes.inner == 0) {
    print_samples(samples, target);
  } else {
    right = print_inner_samples(&sizes, samples, target) && right;
  }
  if (!right) fputs("fork_cost: the teams do not have the wanted sizes\n", stderr);
  return right ? 0 : 1;
}
