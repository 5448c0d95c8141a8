/* SPDX-License-Identifier: BSD-3-Clause */
/* All pairs of threads exchange messages at the same time, for the access counter. In each run the
 * same cache lines go from node to node.
 *
 *     wicon_count MESSAGES LINES A:B...    each pair A:B of processors exchanges MESSAGES messages
 *                                          of LINES cache lines in each direction
 *
 * Waiting threads sleep in the kernel. Accesses of the kernel are not counted. */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "access-counter/marker.h"

enum { kLineBytes = 64, kMostThreads = 64, kMostLines = 1024 };

struct side {
  int processor;
  int from_other; /* file descriptor of a pipe */
  int to_other;
  volatile char (*own)[kLineBytes];
  volatile char (*others)[kLineBytes];
};

static _Alignas(4096) char g_lines[kMostThreads][kMostLines][kLineBytes];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void pin(int processor) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(processor, &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) fail("sched_setaffinity");
}

static void send_message(const struct side *side, int lines) {
  for (int line = 0; line < lines; ++line) {
    side->own[line][0] = (char)(side->own[line][0] + 1);
  }
  if (write(side->to_other, "", 1) != 1) fail("write");
}

static void take_message(const struct side *side, int lines) {
  char token;
  if (read(side->from_other, &token, 1) != 1) fail("read");
  for (int line = 0; line < lines; ++line) {
    (void)side->others[line][0];
  }
}

static int read_pairs(int count, char **texts, struct side *sides) {
  for (int pair = 0; pair < count; ++pair) {
    struct side *const a = &sides[2 * pair];
    struct side *const b = a + 1;
    int there[2];
    int back[2];
    if (sscanf(texts[pair], "%d:%d", &a->processor, &b->processor) != 2) return 0;
    if (pipe(there) != 0 || pipe(back) != 0) fail("pipe");
    a->to_other = there[1];
    b->from_other = there[0];
    b->to_other = back[1];
    a->from_other = back[0];
    a->own = b->others = g_lines[2 * pair];
    b->own = a->others = g_lines[2 * pair + 1];
  }
  return 1;
}

int main(int argc, char **argv) {
  static struct side sides[kMostThreads];
  const int messages = argc > 1 ? atoi(argv[1]) : 0;
  const int lines = argc > 2 ? atoi(argv[2]) : 0;
  const int pairs = argc - 3;
  if (messages < 1 || lines < 1 || lines > kMostLines || pairs < 1 || 2 * pairs > kMostThreads ||
      !read_pairs(pairs, argv + 3, sides)) {
    fprintf(stderr, "usage: wicon_count MESSAGES LINES A:B...\n");
    return 2;
  }
#pragma omp parallel num_threads(2 * pairs)
  {
    const int number = omp_get_thread_num();
    const struct side *const side = &sides[number];
    pin(side->processor);
    for (int line = 0; line < lines; ++line) side->own[line][0] = 1;
#pragma omp critical
    access_counter_array((const void *)side->own, (size_t)lines * kLineBytes);
#pragma omp barrier
#pragma omp master
    access_counter_start();
#pragma omp barrier
    for (int message = 0; message < messages; ++message) {
      if (number % 2 == 0) {
        send_message(side, lines);
        take_message(side, lines);
      } else {
        take_message(side, lines);
        send_message(side, lines);
      }
    }
#pragma omp barrier
#pragma omp master
    access_counter_stop();
  }
  printf("%d\n", 2 * messages * pairs);
  return 0;
}
