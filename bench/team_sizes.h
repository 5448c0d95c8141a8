/* SPDX-License-Identifier: BSD-3-Clause */
/* Y outer threads with inner teams of Z threads. The program sets the sizes if nestbind has no
 * specification with sizes. */
#ifndef BENCH_TEAM_SIZES_H
#define BENCH_TEAM_SIZES_H

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct team_sizes {
  int outer;
  int inner;
  bool set_by_program;
};

static inline bool specification_sets_sizes(void) {
  const char *text = getenv("OMP_NESTING_TEAM_SIZE");
  const char *use = getenv("NESTBIND_TEAM_SIZES");
  return text != NULL && strcmp(text, "auto") != 0 && (use == NULL || strcmp(use, "ignore") != 0);
}

static inline void set_outer_size(const struct team_sizes *sizes) {
  omp_set_dynamic(0);
  if (sizes->set_by_program) {
    omp_set_max_active_levels(2);
    omp_set_num_threads(sizes->outer);
  }
}

/* Called by each member of the outer team, because each member has its own nthreads-var. */
static inline void set_inner_size(const struct team_sizes *sizes) {
  if (sizes->set_by_program) omp_set_num_threads(sizes->inner);
}

static inline long number_argument(const char *text, long least, const char *what) {
  char *end = NULL;
  errno = 0;
  const long number = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || number < least || number > INT_MAX) {
    fprintf(stderr, "%s: expected %s, from %ld on\n", text, what, least);
    exit(2);
  }
  return number;
}

#endif
