/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronisation inside nested teams: the overhead of PARALLEL, BARRIER and REDUCTION in inner
 * teams of Z threads. Y outer threads run these constructs at the same time.
 *
 * The method is from the EPCC OpenMP microbenchmarks (J. M. Bull). The overhead is the time of a
 * delay loop inside the construct, minus the time of the delay loop alone. The method for nested
 * teams is from Dimakopoulos, Hadjidoukas and Philos, "A Microbenchmark Study of OpenMP Overheads
 * under Nested Parallelism" (IWOMP 2008). Every member of the outer team runs the test. The time
 * ends when the last member ends.
 *
 * With --outer, PARALLEL of the outermost level is timed. If Z is not 0, the outer threads fork
 * inner teams of Z threads just before each sample. */
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nested_constructs.h"

enum {
  kOuterRepetitions = 20,
  kFewestRepetitions = 3,
  kMaxRepetitions = 1 << 24,
  kTargetMicroseconds = 1000,
  kInnerForks = 8 /* of each outer thread, before a sample of the outer level */
};
static const double kDelayMicroseconds = 0.1;
static const double kOutlier = 3; /* in standard deviations from the mean, as in EPCC */

struct statistics {
  double mean, deviation, least, most, median;
  int outliers, samples;
};

struct effort {
  int samples;   /* of each construct */
  double target; /* microseconds of a sample */
  double budget; /* microseconds for a construct: no new sample begins after this time */
};

static int delay_length_for(double microseconds) {
  int length = 0;
  double lasted = 0;
  while (lasted < microseconds) {
    length = (int)(length * 1.1) + 1;
    const double begin = omp_get_wtime();
    for (int i = 0; i < 1000; ++i) delay(length);
    lasted = 1e6 * (omp_get_wtime() - begin) / 1000;
  }
  return length;
}

static void reference(long repetitions) {
  for (long i = 0; i < repetitions; ++i) delay(g_delay_length);
}

/* Returns the microseconds of one repetition. */
typedef double (*sampler)(construct test, long repetitions);

static double sample_inner(construct test, long repetitions) {
  double begin = 0, end = 0;
#pragma omp parallel
  {
    set_inner_size(&g_sizes);
    test(1); /* creates the inner threads, if the runtime keeps them */
#pragma omp barrier
#pragma omp master
    begin = omp_get_wtime();
#pragma omp barrier
    test(repetitions);
#pragma omp barrier
#pragma omp master
    end = omp_get_wtime();
  }
  return 1e6 * (end - begin) / (double)repetitions;
}

/* The time begins after the fork, because a slow fork would hide the time of the barrier. */
static double sample_barrier(construct test, long repetitions) {
  (void)test;
  int arrived = 0;
  double slowest = 0;
#pragma omp parallel shared(arrived, slowest)
  {
    set_inner_size(&g_sizes);
#pragma omp parallel shared(arrived, slowest)
    {
#pragma omp master
      wait_for_all_primaries(&arrived, 1);
#pragma omp barrier
      const double begin = omp_get_wtime();
      for (long i = 0; i < repetitions; ++i) {
        delay(g_delay_length);
#pragma omp barrier
      }
      const double own = omp_get_wtime() - begin;
#pragma omp critical
      if (omp_get_thread_num() == 0 && own > slowest) slowest = own;
    }
  }
  return 1e6 * slowest / (double)repetitions;
}

/* Only the initial thread calls this function, so its teams are outermost teams. */
static double sample_outer(construct test, long repetitions) {
  if (g_sizes.inner > 0) {
#pragma omp parallel
    {
      set_inner_size(&g_sizes);
      for (int i = 0; i < kInnerForks; ++i) {
#pragma omp parallel
        delay(g_delay_length);
      }
    }
  }
  test(1);
  const double begin = omp_get_wtime();
  test(repetitions);
  return 1e6 * (omp_get_wtime() - begin) / (double)repetitions;
}

/* Takes a second sample, because a time slice of another thread can make one sample long. */
static bool suffices(sampler sample, construct test, long repetitions, double target) {
  return sample(test, repetitions) * (double)repetitions >= target &&
         sample(test, repetitions) * (double)repetitions >= target;
}

static long repetitions_for(sampler sample, construct test, double target) {
  if (test == reference) return (long)(target / kDelayMicroseconds) + 1;
  long repetitions = 1;
  while (repetitions < kMaxRepetitions && !suffices(sample, test, repetitions, target)) {
    repetitions *= 2;
  }
  return repetitions;
}

static int compare(const void *one, const void *other) {
  const double left = *(const double *)one, right = *(const double *)other;
  return (left > right) - (left < right);
}

static struct statistics statistics_of(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  struct statistics result = {.least = values[0],
                              .most = values[count - 1],
                              .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
                              .samples = count};
  for (int i = 0; i < count; ++i) result.mean += values[i] / count;
  for (int i = 0; i < count; ++i) {
    result.deviation += (values[i] - result.mean) * (values[i] - result.mean);
  }
  result.deviation = count > 1 ? sqrt(result.deviation / (count - 1)) : 0;
  for (int i = 0; i < count; ++i) {
    result.outliers += fabs(values[i] - result.mean) > kOutlier * result.deviation;
  }
  return result;
}

static struct statistics measure(sampler sample, construct test, double reference_time,
                                 const struct effort *effort) {
  double *values = calloc((size_t)effort->samples, sizeof *values);
  if (values == NULL) abort();
  const double begin = omp_get_wtime();
  const long repetitions = repetitions_for(sample, test, effort->target);
  sample(test, repetitions); /* this sample does not count */
  int count = 0;
  while (count < effort->samples &&
         (count < kFewestRepetitions || 1e6 * (omp_get_wtime() - begin) < effort->budget)) {
    values[count++] = sample(test, repetitions) - reference_time;
  }
  const struct statistics result = statistics_of(values, count);
  free(values);
  return result;
}

static void print(const char *name, const struct statistics *result, bool csv) {
  printf(csv ? "%s,%d,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%d,%d\n"
             : "%-10s %3dx%-3d%12.3f%12.3f%12.3f%12.3f%12.3f%6d%6d\n",
         name, g_sizes.outer, g_sizes.inner, result->mean, result->deviation, result->least,
         result->most, result->median, result->outliers, result->samples);
}

struct test {
  const char *name;
  sampler sample;
  construct construct;
};

static void measure_and_print(const struct test *tests, size_t count, const struct effort *effort,
                              bool csv) {
  printf(csv ? "construct,outer,inner,mean_us,deviation_us,least_us,most_us,median_us,outliers,"
               "samples\n"
             : "construct  shape        mean us   deviation       least        most      median"
               "  outliers, samples\n");
  /* A disturbed reference makes overheads too small, so the smallest reference time is used. */
  const struct statistics alone = measure(tests[0].sample, reference, 0, effort);
  print("reference", &alone, csv);
  for (size_t i = 0; i < count; ++i) {
    const struct statistics result =
        measure(tests[i].sample, tests[i].construct, alone.least, effort);
    print(tests[i].name, &result, csv);
  }
}

static const struct test kInnerTests[] = {{"parallel", sample_inner, parallel},
                                          {"barrier", sample_barrier, NULL},
                                          {"reduction", sample_inner, reduction}};
static const struct test kOuterTests[] = {{"parallel", sample_outer, parallel}};

static const char kUsage[] =
    "usage: nested_syncbench [--csv] [--outer] Y Z [SAMPLES [TARGET [BUDGET]]]\n"
    "  Y outer threads with inner teams of Z; SAMPLES (20) of each construct that take TARGET\n"
    "  microseconds (1000), but no more of them than fit into BUDGET milliseconds (1000)\n"
    "  --outer  PARALLEL of the outermost level, beside inner teams of Z, or alone (Z of 0)\n";

static bool option(const char *name, int *argc, char ***argv) {
  if (*argc < 2 || strcmp((*argv)[1], name) != 0) return false;
  --*argc;
  ++*argv;
  return true;
}

int main(int argc, char **argv) {
  const bool csv = option("--csv", &argc, &argv);
  const bool outer_level = option("--outer", &argc, &argv);
  if (argc < 3 || argc > 6) {
    fputs(kUsage, stderr);
    return 2;
  }
  g_sizes.outer = (int)number_argument(argv[1], 1, "a number of outer threads");
  g_sizes.inner = (int)number_argument(argv[2], outer_level ? 0 : 1, "a size of the inner teams");
  g_sizes.set_by_program = !specification_sets_sizes();
  struct effort effort = {
      .samples = kOuterRepetitions, .target = kTargetMicroseconds, .budget = 1e6};
  if (argc > 3) effort.samples = (int)number_argument(argv[3], kFewestRepetitions, "samples");
  if (argc > 4) effort.target = (double)number_argument(argv[4], 1, "microseconds");
  if (argc > 5) effort.budget = 1e3 * (double)number_argument(argv[5], 1, "milliseconds");
  set_outer_size(&g_sizes);
  if (!sizes_are_right()) {
    fputs("nested_syncbench: the teams do not have the wanted sizes\n", stderr);
    return 1;
  }
  g_delay_length = delay_length_for(kDelayMicroseconds);
  if (outer_level) {
    measure_and_print(kOuterTests, sizeof kOuterTests / sizeof kOuterTests[0], &effort, csv);
  } else {
    measure_and_print(kInnerTests, sizeof kInnerTests / sizeof kInnerTests[0], &effort, csv);
  }
  if (g_wrong) fputs("nested_syncbench: a reduction did not give the team's size\n", stderr);
  return g_wrong ? 1 : 0;
}
