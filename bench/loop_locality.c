/* SPDX-License-Identifier: BSD-3-Clause */
/* A static loop writes two arrays. Then loops with schedule(runtime) use these arrays. The access
 * counter counts how many accesses of a thread go to the thread's own node.
 *
 *   loop_locality even|uneven|hot THREADS ELEMENTS REPETITIONS
 *
 *   even     each iteration reads one row of 512 elements
 *   uneven   the first half reads each row once, the second half twice, the last row three times
 *   hot      the first sixteenth of the iterations reads each row four times
 *
 * The first half of the REPETITIONS is not counted, because some schedules change their parameters
 * in this time. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "timed_part.h"

enum { kRow = 512 }; /* a page of 4 KiB, on one node */
enum { kMostRepetitions = 1000 };
static const size_t kPage = 4096;

static double *array(long elements) {
  const size_t bytes = (size_t)elements * sizeof(double);
  double *memory = aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
  if (!memory) exit(3);
  /* No huge pages: a huge page is on one node, even if several threads use parts of it. */
  if (madvise(memory, bytes, MADV_NOHUGEPAGE) != 0) perror("madvise");
  return memory;
}

enum shape { kEven, kUneven, kHot, kShapes };
static const char *const kNames[kShapes] = {"even", "uneven", "hot"};

static long times_of(enum shape shape, long row, long rows) {
  if (shape == kUneven) return 1 + 2 * row / (rows > 1 ? rows - 1 : 1);
  return shape == kHot && row < rows / 16 ? 4 : 1;
}

static long pass(double *to, const double *from, long rows, enum shape shape) {
  long work = 0;
#pragma omp for schedule(runtime)
  for (long row = 0; row < rows; ++row) {
    const long times = times_of(shape, row, rows);
    work += times;
    for (long time = 0; time < times; ++time) {
      for (long i = row * kRow; i < (row + 1) * kRow; ++i) to[i] += 0.5 * from[i];
    }
  }
  return work;
}

int main(int argc, char **argv) {
  const int threads = argc > 2 ? atoi(argv[2]) : 0;
  const long rows = argc > 3 ? atol(argv[3]) / kRow : 0;
  const int repetitions = argc > 4 ? atoi(argv[4]) : 0;
  int shape = 0;
  while (argc > 1 && shape < kShapes && strcmp(argv[1], kNames[shape]) != 0) ++shape;
  if (argc != 5 || shape == kShapes || threads < 1 || rows < threads || repetitions < 2 ||
      repetitions > kMostRepetitions) {
    fprintf(stderr, "usage: %s even|uneven|hot THREADS ELEMENTS REPETITIONS\n", argv[0]);
    return 2;
  }
  double *to = array(rows * kRow), *from = array(rows * kRow);
  long all = 0, most[kMostRepetitions] = {0}; /* the largest work of a thread, by pass */
  omp_set_num_threads(threads);
#pragma omp parallel
  {
    /* timed_part_array reads memory, and the kernel moves pages to their readers. So each member
     * must register its own part. */
    long begin = rows, end = 0;
#pragma omp for schedule(static)
    for (long row = 0; row < rows; ++row) {
      begin = row < begin ? row : begin;
      end = row + 1;
      for (long i = row * kRow; i < (row + 1) * kRow; ++i) {
        to[i] = 0;
        from[i] = 2;
      }
    }
#pragma omp critical
    if (begin < end) {
      timed_part_array(to + begin * kRow, (size_t)((end - begin) * kRow) * sizeof *to);
      timed_part_array(from + begin * kRow, (size_t)((end - begin) * kRow) * sizeof *from);
    }
    for (int repetition = 0; repetition < repetitions / 2; ++repetition)
      pass(to, from, rows, (enum shape)shape);
#pragma omp barrier
#pragma omp master
    timed_part_begin();
#pragma omp barrier
    long work[kMostRepetitions];
    for (int repetition = repetitions / 2; repetition < repetitions; ++repetition) {
      work[repetition] = pass(to, from, rows, (enum shape)shape);
    }
#pragma omp barrier
#pragma omp master
    timed_part_end();
#pragma omp critical
    for (int repetition = repetitions / 2; repetition < repetitions; ++repetition) {
      all += work[repetition];
      if (work[repetition] > most[repetition]) most[repetition] = work[repetition];
    }
  }
  for (long row = 0; row < rows; ++row) {
    const long times = times_of((enum shape)shape, row, rows);
    for (long i = row * kRow; i < (row + 1) * kRow; ++i) {
      if (to[i] != (double)(times * repetitions)) {
        fprintf(stderr, "element %ld is %g\n", i, to[i]);
        return 1;
      }
    }
  }
  long largest = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) largest += most[repetition];
  printf("right\nlargest work over the mean: %.3f\n", (double)largest * threads / (double)all);
  return 0;
}
