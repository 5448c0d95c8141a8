/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges messages between pairs of threads. The numbers of the partners are random.
 *
 *   pair_traffic pairs THREADS SEED
 *   pair_traffic run THREADS SEED LINES ROUNDS
 *
 * "pairs" prints the input of nestbind map. In each round of "run" every thread writes a message of
 * LINES cache lines, and reads its partner's message. The first half of the rounds is not counted.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timed_part.h"

enum { kLine = 64 / sizeof(long), kMostThreads = 1024 };

/* The result depends only on the seed, not on the machine. */
static void draw_partners(int threads, unsigned seed, int *partner) {
  int order[kMostThreads];
  unsigned long state = seed;
  for (int i = 0; i < threads; ++i) order[i] = i;
  for (int i = threads - 1; i > 0; --i) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    const int other = (int)((state >> 33) % (unsigned)(i + 1));
    const int kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  for (int i = 0; i + 1 < threads; i += 2) {
    partner[order[i]] = order[i + 1];
    partner[order[i + 1]] = order[i];
  }
}

static void write_message(long *lines, long count, long value) {
  for (long i = 0; i < count * kLine; ++i) lines[i] = value + i;
}

static long errors_of_message(const long *lines, long count, long value) {
  long errors = 0;
  for (long i = 0; i < count * kLine; ++i) errors += lines[i] != value + i;
  return errors;
}

static long exchange(int threads, const int *partner, long lines, int rounds) {
  static long *message[kMostThreads];
  long errors = 0;
  omp_set_num_threads(threads);
#pragma omp parallel reduction(+ : errors)
  {
    const int self = omp_get_thread_num();
    message[self] = aligned_alloc(4096, (size_t)lines * 64);
    if (!message[self]) exit(3);
    write_message(message[self], lines, self);
#pragma omp critical
    timed_part_array(message[self], (size_t)lines * 64);
#pragma omp barrier
    for (int round = 0; round < rounds; ++round) {
      if (round == rounds / 2) {
#pragma omp master
        timed_part_begin();
#pragma omp barrier
      }
      write_message(message[self], lines, self + round);
#pragma omp barrier
      errors += errors_of_message(message[partner[self]], lines, partner[self] + round);
#pragma omp barrier
    }
#pragma omp master
    timed_part_end();
#pragma omp barrier
    free(message[self]);
  }
  return errors;
}

int main(int argc, char **argv) {
  const int threads = argc > 2 ? atoi(argv[2]) : 0;
  const long lines = argc > 4 ? atol(argv[4]) : 64;
  const int rounds = argc > 5 ? atoi(argv[5]) : 2;
  const int runs = argc == 6 && strcmp(argv[1], "run") == 0;
  if ((!runs && (argc != 4 || strcmp(argv[1], "pairs") != 0)) || threads < 2 || threads % 2 != 0 ||
      threads > kMostThreads || lines < 1 || rounds < 2) {
    fprintf(stderr, "usage: %s pairs THREADS SEED | run THREADS SEED LINES ROUNDS\n", argv[0]);
    return 2;
  }
  int partner[kMostThreads];
  draw_partners(threads, (unsigned)atoi(argv[3]), partner);
  if (!runs) {
    for (int i = 0; i < threads; ++i)
      if (i < partner[i]) printf("%d %d 1\n", i, partner[i]);
    return 0;
  }
  const long errors = exchange(threads, partner, lines, rounds);
  if (errors != 0) {
    fprintf(stderr, "%ld words are wrong\n", errors);
    return 1;
  }
  puts("right");
  return 0;
}
