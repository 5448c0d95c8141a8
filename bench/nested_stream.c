/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested STREAM, as in "Binding Nested OpenMP Programs on Hierarchical Memory Architectures"
 * (Schmidl, Terboven, an Mey, Buecker; IWOMP 2010). Each of Y outer threads has an inner team of Z
 * threads. The kernels are those of STREAM (J. McCalpin), and as in STREAM the first repetition
 * does not count.
 *
 * The time for the total bandwidth is from the start of the first team to the end of the last
 * team. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fix.h"
#include "processors_seen.h"
#include "stream_options.h"
#include "stream_output.h"
#include "team_sizes.h"
#include "timed_part.h"

/* The kernel uses huge pages if possible, and each huge page is on one node. */
enum { kHugePage = 2 * 1024 * 1024 };
static const double kScalar = 0.41421356237309503; /* sqrt(2) - 1: the values stay bounded */

static void *allocate(size_t bytes) {
  void *memory = aligned_alloc(kHugePage, (bytes + kHugePage - 1) / kHugePage * kHugePage);
  if (memory == NULL) {
    fprintf(stderr, "nested_stream: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

static void own_part(const struct team *team, size_t *first, size_t *last) {
  const size_t each = team->elements / (size_t)team->size;
  *first = each * (size_t)omp_get_thread_num();
  *last = *first + each;
}

/* The teams have different values, so the check finds a team that works on wrong arrays. */
static double first_value(int team) { return 1.0 + team; }

static void initialise_part(struct team *team, int number, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    team->a[i] = first_value(number);
    team->b[i] = 0.0;
    team->c[i] = 0.0;
  }
}

static void initialise(struct team *team, int number, const struct options *options) {
#pragma omp parallel
  {
#pragma omp single
    {
      team->size = omp_get_num_threads();
      team->elements = options->elements * (size_t)team->size;
      team->members = allocate((size_t)team->size * sizeof *team->members);
      team->a = allocate(team->elements * sizeof(double));
      team->b = allocate(team->elements * sizeof(double));
      team->c = allocate(team->elements * sizeof(double));
    }
    struct member *me = &team->members[omp_get_thread_num()];
    memset(me, 0, sizeof *me);
    size_t first, last;
    own_part(team, &first, &last);
    if (!options->serial) initialise_part(team, number, first, last);
  }
  if (options->serial) initialise_part(team, number, 0, team->elements);
}

/* Each thread registers its own part, because registering reads the pages, and the kernel moves
 * pages to their reader. */
static void register_arrays(const struct team *team) {
#pragma omp parallel
  {
    size_t first, last;
    own_part(team, &first, &last);
    const size_t bytes = (last - first) * sizeof(double);
#pragma omp critical
    {
      timed_part_array(&team->a[first], bytes);
      timed_part_array(&team->b[first], bytes);
      timed_part_array(&team->c[first], bytes);
    }
  }
}

static void compute(enum kernel kernel, const struct team *team, size_t first, size_t last) {
  double *restrict a = team->a;
  double *restrict b = team->b;
  double *restrict c = team->c;
  switch (kernel) {
    case kCopy:
      for (size_t i = first; i < last; ++i) c[i] = a[i];
      break;
    case kScale:
      for (size_t i = first; i < last; ++i) b[i] = kScalar * c[i];
      break;
    case kAdd:
      for (size_t i = first; i < last; ++i) c[i] = a[i] + b[i];
      break;
    case kTriad:
    default:
      for (size_t i = first; i < last; ++i) a[i] = b[i] + kScalar * c[i];
  }
}

static void run_kernel(enum kernel kernel, struct team *team) {
  team->begin = omp_get_wtime();
#pragma omp parallel
  {
    if (omp_get_num_threads() == team->size) {
      size_t first, last;
      own_part(team, &first, &last);
      compute(kernel, team, first, last);
      note_processor(&team->members[omp_get_thread_num()].seen);
    } else {
#pragma omp atomic write
      team->changed_size = true;
    }
  }
  team->end = omp_get_wtime();
}

/* The kernel or the library can move pages during the use, or undo the remedy. */
static void fix_and_use(struct team *team, const struct options *options) {
  const size_t bytes = team->elements * sizeof(double);
  fix(options->fix, team->a, bytes);
  fix(options->fix, team->b, bytes);
  fix(options->fix, team->c, bytes);
  const double until = omp_get_wtime() + options->use;
  for (; options->use > 0 && omp_get_wtime() < until; ++team->rounds) {
    for (int kernel = 0; kernel < kKernels; ++kernel) run_kernel((enum kernel)kernel, team);
  }
}

static void expected_values(int team, int rounds, double *a, double *b, double *c) {
  *a = first_value(team);
  for (int i = 0; i < rounds; ++i) {
    *c = *a;
    *b = kScalar * *c;
    *c = *a + *b;
    *a = *b + kScalar * *c;
  }
}

static void check(struct team *team, int number, int rounds) {
  double a = 0, b = 0, c = 0;
  expected_values(number, rounds, &a, &b, &c);
#pragma omp parallel
  if (omp_get_thread_num() < team->size) {
    struct member *me = &team->members[omp_get_thread_num()];
    note_allowed(&me->allowed);
    size_t first, last;
    own_part(team, &first, &last);
    for (size_t i = first; i < last; ++i) {
      me->wrong += team->a[i] != a || team->b[i] != b || team->c[i] != c;
    }
  }
}

static double longest(const struct team *teams, int count) {
  double begin = teams[0].begin, end = teams[0].end;
  for (int i = 1; i < count; ++i) {
    if (teams[i].begin < begin) begin = teams[i].begin;
    if (teams[i].end > end) end = teams[i].end;
  }
  return end - begin;
}

/* `seconds` gets kKernels rows, each with `repetitions` values. `*count` gets the number of
 * teams. */
static struct team *measure(const struct options *options, double *seconds, int *count) {
  struct team *teams = NULL;
  set_outer_size(&options->sizes);
#pragma omp parallel
  {
#pragma omp single
    {
      *count = omp_get_num_threads();
      teams = calloc((size_t)*count, sizeof *teams);
      if (teams == NULL) abort();
    }
    const int number = omp_get_thread_num();
    struct team *team = &teams[number];
    set_inner_size(&options->sizes);
    initialise(team, number, options);
    fix_and_use(team, options);
    register_arrays(team);
    for (int round = 0; round <= options->repetitions; ++round) { /* the first is not counted */
#pragma omp barrier
#pragma omp master
      if (round == 1) timed_part_begin();
      for (int kernel = 0; kernel < kKernels; ++kernel) {
#pragma omp barrier
        run_kernel((enum kernel)kernel, team);
#pragma omp barrier
#pragma omp master
        if (round > 0) {
          seconds[kernel * options->repetitions + round - 1] = longest(teams, *count);
        }
      }
    }
#pragma omp master
    timed_part_end();
#pragma omp barrier
    check(team, number, team->rounds + options->repetitions + 1);
  }
  return teams;
}

static bool is_right(const struct options *options, const struct team *teams, int count) {
  const struct team_sizes *sizes = &options->sizes;
  bool right = sizes->outer == 0 || count == sizes->outer;
  if (!right) fprintf(stderr, "nested_stream: %d teams instead of %d\n", count, sizes->outer);
  for (int i = 0; i < count; ++i) {
    const struct team *team = &teams[i];
    if ((sizes->inner != 0 && team->size != sizes->inner) || team->changed_size) {
      fprintf(stderr, "nested_stream: team %d has %d threads%s\n", i, team->size,
              team->changed_size ? " at first, another number later" : "");
      right = false;
    }
    long wrong = 0;
    for (int j = 0; j < team->size; ++j) wrong += team->members[j].wrong;
    if (wrong != 0) {
      fprintf(stderr, "nested_stream: team %d: %ld wrong elements\n", i, wrong);
      right = false;
    }
  }
  return right;
}

int main(int argc, char **argv) {
  const struct options options = read_arguments(argc, argv);
  double *seconds = calloc((size_t)options.repetitions * kKernels, sizeof *seconds);
  if (seconds == NULL) return 1;
  int count = 0;
  const struct team *teams = measure(&options, seconds, &count);
  int threads = 0;
  for (int i = 0; i < count; ++i) threads += teams[i].size;
  print_figures(&options, seconds, count, threads);
  const bool right = is_right(&options, teams, count);
  if (!options.csv) {
    if (is_dry_run()) printf("a dry run: the bandwidth is this machine's\n");
    if (right) printf("every element has the expected value\n\n");
    print_threads(stdout, false, teams, count);
  }
  if (options.threads_file != NULL) {
    FILE *out = fopen(options.threads_file, "w");
    if (out == NULL) {
      perror(options.threads_file);
      return 1;
    }
    print_threads(out, true, teams, count);
    if (fclose(out) != 0) return 1;
  }
  return right ? 0 : 1;
}
