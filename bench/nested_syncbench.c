/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronisation inside nested teams: the overhead of PARALLEL, BARRIER and REDUCTION in inner
 * teams of Z, which Y outer threads run at the same time.
 *
 * The method is that of the EPCC OpenMP microbenchmarks (J. M. Bull): a delay loop in the
 * construct, less the time of the delay loop alone, over many inner repetitions, whose number is
 * chosen so that a sample takes the target time; mean and standard deviation over outer
 * repetitions. The nested form is that of V. Dimakopoulos, P. Hadjidoukas and G. Philos, "A
 * Microbenchmark Study of OpenMP Overheads under Nested Parallelism" (IWOMP 2008): every member of
 * the outer team runs the test, and the last to finish counts. */
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team_sizes.h"

enum { kOuterRepetitions = 20, kMaxRepetitions = 1 << 24, kTargetMicroseconds = 1000 };
static const double kDelayMicroseconds = 0.1;
static const double kOutlier = 3; /* standard deviations from the mean, as EPCC has it */

struct statistics {
  double mean, deviation, least, most;
  int outliers;
};

static int g_delay_length;
static bool g_wrong; /* a reduction did not give the team's size */
static struct team_sizes g_sizes;

static void delay(int length) {
  volatile float sum = 0;
  for (int i = 0; i < length; ++i) sum = sum + (float)i;
}

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

static void parallel(long repetitions) {
  for (long i = 0; i < repetitions; ++i) {
#pragma omp parallel
    delay(g_delay_length);
  }
}

static void barrier(long repetitions) {
#pragma omp parallel
  for (long i = 0; i < repetitions; ++i) {
    delay(g_delay_length);
#pragma omp barrier
  }
}

static void reduction(long repetitions) {
  for (long i = 0; i < repetitions; ++i) {
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
      delay(g_delay_length);
      members += 1;
    }
    if (g_sizes.inner != members) {
#pragma omp atomic write
      g_wrong = true;
    }
  }
}

typedef void (*construct)(long repetitions);

/* Microseconds of one repetition. */
static double sample(construct test, long repetitions) {
  double begin = 0, end = 0;
#pragma omp parallel
  {
    set_inner_size(&g_sizes);
    test(1); /* the inner threads exist, where the runtime keeps them */
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

static long repetitions_for(construct test, double target) {
  long repetitions = 8;
  while (repetitions < kMaxRepetitions &&
         sample(test, repetitions) * (double)repetitions < target) {
    repetitions *= 2;
  }
  return repetitions;
}

static struct statistics statistics_of(const double *values, int count) {
  struct statistics result = {.least = values[0], .most = values[0]};
  for (int i = 0; i < count; ++i) {
    result.mean += values[i] / count;
    if (values[i] < result.least) result.least = values[i];
    if (values[i] > result.most) result.most = values[i];
  }
  for (int i = 0; i < count; ++i) {
    result.deviation += (values[i] - result.mean) * (values[i] - result.mean);
  }
  result.deviation = count > 1 ? sqrt(result.deviation / (count - 1)) : 0;
  for (int i = 0; i < count; ++i) {
    result.outliers += fabs(values[i] - result.mean) > kOutlier * result.deviation;
  }
  return result;
}

static struct statistics measure(construct test, double reference_time, int outer_repetitions,
                                 double target) {
  double *values = calloc((size_t)outer_repetitions, sizeof *values);
  if (values == NULL) abort();
  const long repetitions = repetitions_for(test, target);
  sample(test, repetitions); /* does not count */
  for (int i = 0; i < outer_repetitions; ++i) {
    values[i] = sample(test, repetitions) - reference_time;
  }
  const struct statistics result = statistics_of(values, outer_repetitions);
  free(values);
  return result;
}

static void print(const char *name, const struct statistics *result, bool csv) {
  printf(csv ? "%s,%d,%d,%.4f,%.4f,%.4f,%.4f,%d\n" : "%-10s %3dx%-3d%12.3f%12.3f%12.3f%12.3f%6d\n",
         name, g_sizes.outer, g_sizes.inner, result->mean, result->deviation, result->least,
         result->most, result->outliers);
}

static const char kUsage[] =
    "usage: nested_syncbench [--csv] Y Z [OUTER-REPETITIONS [TARGET]]\n"
    "  Y outer threads with inner teams of Z; OUTER-REPETITIONS (20) of samples that\n"
    "  take TARGET microseconds (1000)\n";

int main(int argc, char **argv) {
  const bool csv = argc > 1 && strcmp(argv[1], "--csv") == 0;
  argc -= csv;
  argv += csv;
  if (argc < 3 || argc > 5) {
    fputs(kUsage, stderr);
    return 2;
  }
  g_sizes.outer = (int)number_argument(argv[1], 1, "a number of outer threads");
  g_sizes.inner = (int)number_argument(argv[2], 1, "a size of the inner teams");
  g_sizes.set_by_program = !specification_sets_sizes();
  const int outer_repetitions =
      argc > 3 ? (int)number_argument(argv[3], 2, "repetitions") : kOuterRepetitions;
  const double target =
      (double)(argc > 4 ? number_argument(argv[4], 1, "microseconds") : kTargetMicroseconds);
  set_outer_size(&g_sizes);
  if (omp_get_max_threads() != g_sizes.outer) {
    fputs("nested_syncbench: the outer team does not have the wanted size\n", stderr);
    return 1;
  }
  g_delay_length = delay_length_for(kDelayMicroseconds);

  printf(csv ? "construct,outer,inner,mean_us,deviation_us,least_us,most_us,outliers\n"
             : "construct  shape        mean us   deviation       least        most  outliers\n");
  const struct statistics alone = measure(reference, 0, outer_repetitions, target);
  print("reference", &alone, csv);
  const struct {
    const char *name;
    construct test;
  } tests[] = {{"parallel", parallel}, {"barrier", barrier}, {"reduction", reduction}};
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; ++i) {
    const struct statistics result = measure(tests[i].test, alone.mean, outer_repetitions, target);
    print(tests[i].name, &result, csv);
  }
  if (g_wrong) fputs("nested_syncbench: a reduction did not give the team's size\n", stderr);
  return g_wrong ? 1 : 0;
}
