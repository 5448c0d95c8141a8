/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts how often each iteration of a loop ran. Define _GNU_SOURCE before you include this file.
 */
#ifndef NESTBIND_LOOPS_H
#define NESTBIND_LOOPS_H

#include <stdint.h>

#include "checks.h"

enum { kMostIterations = 10000, kMostThreads = 8, kMostTold = 20 };

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

struct counts {
  unsigned char of[kMostIterations]; /* by index, 0 is the first iteration */
  int outside;                       /* iterations outside of the loop */
  int falls;                         /* iterations that a thread ran after a later iteration */
};

/* Prints at most kMostTold faults for each place in the code. */
#define TELL(...)                                                                         \
  do {                                                                                    \
    static int told;                                                                      \
    if (__atomic_fetch_add(&told, 1, __ATOMIC_RELAXED) < kMostTold) say(" " __VA_ARGS__); \
  } while (0)

static inline void count_iteration(struct counts *counts, uint64_t index) {
  if (index < kMostIterations) {
    __atomic_add_fetch(&counts->of[index], 1, __ATOMIC_RELAXED);
  } else {
    __atomic_add_fetch(&counts->outside, 1, __ATOMIC_RELAXED);
  }
}

/* `before` is the thread's previous index plus 1. It is 0 in the thread's first iteration. */
static inline uint64_t count_rising(struct counts *counts, uint64_t index, uint64_t before) {
  if (index < before) __atomic_add_fetch(&counts->falls, 1, __ATOMIC_RELAXED);
  count_iteration(counts, index);
  return index + 1;
}

/* Resets the counts. Other threads must have left the loop. */
static inline bool each_once(struct counts *counts, uint64_t iterations, const char *loop) {
  uint64_t first = 0;
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < kMostIterations; ++i) {
    if (counts->of[i] == (i < iterations ? 1 : 0)) continue;
    first = wrong++ == 0 ? i : first;
  }
  const bool is_good = wrong == 0 && counts->outside == 0 && counts->falls == 0;
  if (!is_good) {
    TELL(
        "%s, %d threads, %llu iterations: %llu not once, %d outside, %d falls; the first is %llu, "
        "%d times",
        loop, omp_get_num_threads(), (unsigned long long)iterations, (unsigned long long)wrong,
        counts->outside, counts->falls, (unsigned long long)first, counts->of[first]);
  }
  memset(counts, 0, sizeof *counts);
  return is_good;
}

/* Does some work that compilers cannot remove. */
static inline void work(uint64_t amount) {
  for (uint64_t i = 0; i < amount; ++i) __asm__ volatile("" : : "r"(i) : "memory");
}

/* The random numbers depend only on LOOPS_SEED. */
static inline uint64_t random_number(uint64_t *state) {
  if (*state == 0) {
    const char *seed = getenv("LOOPS_SEED");
    *state = 0x9e3779b97f4a7c15U * (seed != NULL ? strtoull(seed, NULL, 10) * 2 + 1 : 1);
  }
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1dU;
}

/* Numbers of iterations near multiples of chunk sizes and of team sizes. */
enum { kSizes = 40, kFixedSizes = 34 };
static inline const int *loop_sizes(void) {
  static int sizes[kSizes] = {0,   1,   2,   3,   4,    5,    6,    7,    8,    9,   10, 11,
                              15,  16,  17,  23,  24,   25,   31,   33,   63,   64,  65, 100,
                              127, 129, 255, 257, 1000, 1023, 1025, 4095, 4097, 9999};
  static uint64_t state;
  if (state == 0) {
    for (int i = kFixedSizes; i < kSizes; ++i)
      sizes[i] = (int)(random_number(&state) % kMostIterations);
  }
  return sizes;
}

#endif
