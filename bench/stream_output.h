/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of nested STREAM, and how they are printed. */
#ifndef BENCH_STREAM_OUTPUT_H
#define BENCH_STREAM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "processors_seen.h"
#include "stream_options.h"

enum kernel { kCopy, kScale, kAdd, kTriad, kKernels };
static const char *const kNames[kKernels] = {"copy", "scale", "add", "triad"};
static const int kArraysMoved[kKernels] = {2, 2, 3, 3};

struct member {
  struct processors seen; /* processors that were used in the timed part */
  struct processors allowed;
  long wrong;
};

struct team {
  double *a, *b, *c;
  size_t elements;
  int size;
  struct member *members;
  bool changed_size;
  int rounds;        /* rounds before the first measured one */
  double begin, end; /* times of one kernel, in seconds */
};

static inline int ascending(const void *left, const void *right) {
  const double x = *(const double *)left, y = *(const double *)right;
  return (x > y) - (x < y);
}

static inline double median(const double *sorted, int count) {
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* `seconds` has kKernels rows, each with options->repetitions values. This function sorts the
 * values of each row. */
static inline void print_figures(const struct options *options, double *seconds, int teams,
                                 int threads) {
  const int repetitions = options->repetitions;
  if (options->csv) {
    printf("kernel,teams,threads,elements_per_thread,repetitions,best_GBps,median_GBps\n");
  } else {
    printf("nested STREAM: %d teams, %d threads, arrays of %.1f MB a thread, %d repetitions\n",
           teams, threads, (double)options->elements * sizeof(double) / 1e6, repetitions);
    printf("%-8s%12s%12s\n", "kernel", "best GB/s", "median");
  }
  for (int kernel = 0; kernel < kKernels; ++kernel) {
    double *row = seconds + kernel * repetitions;
    qsort(row, (size_t)repetitions, sizeof *row, ascending);
    const double gigabytes =
        1e-9 * sizeof(double) * kArraysMoved[kernel] * (double)options->elements * threads;
    const double best = gigabytes / row[0], middle = gigabytes / median(row, repetitions);
    if (options->csv) {
      printf("%s,%d,%d,%zu,%d,%.3f,%.3f\n", kNames[kernel], teams, threads, options->elements,
             repetitions, best, middle);
    } else {
      printf("%-8s%12.2f%12.2f\n", kNames[kernel], best, middle);
    }
  }
}

static inline void print_threads(FILE *out, bool csv, const struct team *teams, int count) {
  char seen[kProcessorText], allowed[kProcessorText];
  const char *format = csv ? "%s,%s,%s\n" : "%-10s%-20s%s\n";
  fprintf(out, format, csv ? "path" : "thread", csv ? "ran_on" : "ran on",
          is_dry_run() ? "planned"
          : csv        ? "may_run_on"
                       : "may run on");
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < teams[i].size; ++j) {
      char path[32];
      snprintf(path, sizeof path, "%d.%d", i, j);
      fprintf(out, format, path, print_processors(&teams[i].members[j].seen, seen),
              print_processors(&teams[i].members[j].allowed, allowed));
    }
  }
}

#endif
