/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of nested STREAM's command line. */
#ifndef BENCH_STREAM_OPTIONS_H
#define BENCH_STREAM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team_sizes.h"

enum { kElements = 4000000, kRepetitions = 10 };

struct options {
  struct team_sizes sizes;
  size_t elements; /* elements of an array for each thread */
  int repetitions; /* without the first one, which does not count */
  bool csv;
  const char *threads_file;
  bool serial;     /* only the primary thread initialises the team's arrays */
  const char *fix; /* the remedy for `serial`: see fix.h */
  int use;         /* seconds of use before the measured or counted part */
};

static const char kUsage[] =
    "usage: nested_stream [options] [Y Z [ELEMENTS [REPETITIONS]]]\n"
    "  Y outer threads with inner teams of Z; they may be left out if\n"
    "  OMP_NESTING_TEAM_SIZE sets them\n"
    "  ELEMENTS of an array for each thread (4000000), REPETITIONS that count (10)\n"
    "  --csv           figures as CSV\n"
    "  --threads FILE  the places of the threads, as CSV\n"
    "  --set-sizes     set the team sizes also if OMP_NESTING_TEAM_SIZE does\n"
    "  --serial        each team's first thread initialises all of the team's arrays\n"
    "  --fix WAY       then libnestbind moves them, if Y is 1: block or interleave\n"
    "  --use SECONDS   of use by the team before the first repetition\n";

static inline struct options read_arguments(int argc, char **argv) {
  struct options options = {.elements = kElements, .repetitions = kRepetitions, .fix = "none"};
  options.sizes.set_by_program = !specification_sets_sizes();
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; ++i) {
    if (strcmp(argv[i], "--csv") == 0) {
      options.csv = true;
    } else if (strcmp(argv[i], "--set-sizes") == 0) {
      options.sizes.set_by_program = true;
    } else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
      options.threads_file = argv[++i];
    } else if (strcmp(argv[i], "--serial") == 0) {
      options.serial = true;
    } else if (strcmp(argv[i], "--fix") == 0 && i + 1 < argc) {
      options.fix = argv[++i];
    } else if (strcmp(argv[i], "--use") == 0 && i + 1 < argc) {
      options.use = (int)number_argument(argv[++i], 1, "seconds of use");
    } else {
      const bool is_help = strcmp(argv[i], "--help") == 0;
      fputs(kUsage, is_help ? stdout : stderr);
      exit(is_help ? 0 : 2);
    }
  }
  const int given = argc - i;
  if (given > 4 || given == 1 || (given == 0 && options.sizes.set_by_program)) {
    fputs(kUsage, stderr);
    exit(2);
  }
  if (given >= 2) {
    options.sizes.outer = (int)number_argument(argv[i], 1, "a number of outer threads");
    options.sizes.inner = (int)number_argument(argv[i + 1], 1, "a size of the inner teams");
  }
  if (given >= 3) options.elements = (size_t)number_argument(argv[i + 2], 1, "elements");
  if (given >= 4) options.repetitions = (int)number_argument(argv[i + 3], 1, "repetitions");
  return options;
}

#endif
