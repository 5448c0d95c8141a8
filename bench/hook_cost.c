/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a call that nestbind interposes, if no variable of nestbind is set.
 *
 *   hook_cost CASE CALLS [SAMPLES]
 *
 * The calls are outside of every region, because the runtimes need the least time for such calls.
 * Prints the nanoseconds of one call as CSV, the smallest value of all samples. Cases:
 *
 *   barrier   one call
 *   loop      one iteration of schedule(runtime), no barrier: begin, next iterations, end */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
enum { kCallsOfLoop = 4 }; /* calls of the runtime, with Clang 19 or later */
#else
enum { kCallsOfLoop = 3 };
#endif

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void barriers(long calls) {
  for (long i = 0; i < calls; ++i) {
#pragma omp barrier
  }
}

static void loops(long calls) {
  for (long i = 0; i < calls; i += kCallsOfLoop) {
#pragma omp for schedule(runtime) nowait
    for (int k = 0; k < 1; ++k) __asm__ volatile("");
  }
}

int main(int argc, char **argv) {
  const long calls = argc > 2 ? atol(argv[2]) : 0;
  const long samples = argc > 3 ? atol(argv[3]) : 1;
  void (*run)(long) = argc < 2                          ? NULL
                      : strcmp(argv[1], "barrier") == 0 ? barriers
                      : strcmp(argv[1], "loop") == 0    ? loops
                                                        : NULL;
  if (run == NULL || calls < 1 || samples < 1) {
    fprintf(stderr, "usage: %s barrier|loop CALLS [SAMPLES]\n", argv[0]);
    return 2;
  }
  double least = 1e18;
  for (long sample = 0; sample < samples; ++sample) {
    const double begin = now();
    run(calls);
    const double time = (now() - begin) / (double)calls;
    least = time < least ? time : least;
  }
  printf("case,least_ns\n%s,%.3f\n", argv[1], least);
  return 0;
}
