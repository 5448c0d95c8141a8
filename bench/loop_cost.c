/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a loop with schedule(runtime) whose iterations do nothing.
 *
 *   loop_cost [--csv] THREADS [SAMPLES]
 *
 * A sample is many consecutive loops in one region. Prints the median and the smallest sample.
 * Disturbances only make a sample longer. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kLoops = 200, kIterations = 1000, kMostSamples = 100000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Does nothing, but the compiler cannot know that. */
static inline void body(long i) { __asm__ volatile("" : : "r"(i)); }

static void barriers(long iterations) {
  (void)iterations;
  for (int loop = 0; loop < kLoops; ++loop) {
#pragma omp barrier
  }
}

static void compiled(long iterations) {
  for (int loop = 0; loop < kLoops; ++loop) {
#pragma omp for schedule(static)
    for (long i = 0; i < iterations; ++i) body(i);
  }
}

static void loops(long iterations) {
  for (int loop = 0; loop < kLoops; ++loop) {
#pragma omp for schedule(runtime)
    for (long i = 0; i < iterations; ++i) body(i);
  }
}

static void loops_nowait(long iterations) {
  for (int loop = 0; loop < kLoops; ++loop) {
#pragma omp for schedule(runtime) nowait
    for (long i = 0; i < iterations; ++i) body(i);
  }
}

static int ascending(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static double samples[kMostSamples];

static double measure(void (*run)(long), long iterations, int count, double *median) {
  for (int sample = 0; sample < count; ++sample) {
    double begin = 0;
#pragma omp parallel
    {
      run(iterations); /* a warm-up */
#pragma omp barrier
#pragma omp master
      begin = now();
      run(iterations);
#pragma omp barrier
#pragma omp master
      samples[sample] = (now() - begin) / kLoops;
    }
  }
  qsort(samples, (size_t)count, sizeof *samples, ascending);
  *median = samples[count / 2];
  return samples[0];
}

int main(int argc, char **argv) {
  const int csv = argc > 1 && strcmp(argv[1], "--csv") == 0;
  const int threads = argc > csv + 1 ? atoi(argv[csv + 1]) : 0;
  const int count = argc > csv + 2 ? atoi(argv[csv + 2]) : 100;
  if (threads < 1 || count < 1 || count > kMostSamples) {
    fprintf(stderr, "usage: %s [--csv] THREADS [SAMPLES, 1 to %d]\n", argv[0], kMostSamples);
    return 2;
  }
  omp_set_num_threads(threads);
  const struct {
    const char *name;
    void (*run)(long);
    long iterations;
  } cases[] = {{"barrier", barriers, 0},         {"static", compiled, threads},
               {"one each", loops, threads},     {"none", loops, 0},
               {"thousand", loops, kIterations}, {"nowait", loops_nowait, threads}};
  enum { kCases = sizeof cases / sizeof *cases, kOneEach = 2, kThousand = 4 };
  double least[kCases], median[kCases];
  printf(csv ? "case,least_ns,median_ns\n" : "%-10s %12s %12s\n", "case", "least, ns",
         "median, ns");
  const char *row = csv ? "%s,%.1f,%.1f\n" : "%-10s %12.1f %12.1f\n";
  for (int c = 0; c < kCases; ++c) {
    least[c] = measure(cases[c].run, cases[c].iterations, count, &median[c]);
    printf(row, cases[c].name, least[c], median[c]);
  }
  const double iterations = (double)kIterations / threads - 1;
  printf(row, "iteration", (least[kThousand] - least[kOneEach]) / iterations,
         (median[kThousand] - median[kOneEach]) / iterations);
  return 0;
}
