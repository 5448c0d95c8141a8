/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Changes schedules of loops while the program runs. Arguments, in their order:
 *
 *   set=TEXT      nestbind_set_schedule
 *   get           nestbind_get_schedule
 *   own           omp_set_schedule: monotonic dynamic. One chunk has the whole loop.
 *   loop          a region of four with one loop: prints how many threads had iterations
 *   once          the same, but does not print the number
 *   inner         a region of two. Its first member does the next step (set=TEXT or own). Then
 *                 each member runs a loop, and prints its number
 *   one           a region of four. The third member calls omp_set_schedule before a barrier:
 *                 prints how many threads had iterations of the loops before and after the barrier
 *   all           the same, but all members call omp_set_schedule
 *
 * With OMP_SCHEDULE=monotonic:dynamic,1000000 one thread runs all iterations. With hybrid,f=1 each
 * thread runs a part.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

#pragma weak nestbind_set_schedule
#pragma weak nestbind_get_schedule

enum { kThreads = 4, kIterations = 100, kMany = 1000000 };

struct loop {
  int runs[kIterations];
  int threads;
};

static void note(struct loop *loop, int i, bool *had) {
  __atomic_add_fetch(&loop->runs[i], 1, __ATOMIC_RELAXED);
  if (!*had) __atomic_add_fetch(&loop->threads, 1, __ATOMIC_RELAXED);
  *had = true;
}

static int threads_of(const struct loop *loop) {
  for (int i = 0; i < kIterations; ++i) {
    if (loop->runs[i] != 1) say("iteration %d was run %d times", i, loop->runs[i]);
  }
  return loop->threads;
}

static void set(const char *text) {
  if (nestbind_set_schedule == NULL) {
    say("no library");
    return;
  }
  const int error = nestbind_set_schedule(text);
  if (error != NESTBIND_OK) say("error %d", error);
}

static void get(void) {
  char text[200];
  const size_t length = nestbind_get_schedule(text, sizeof text);
  say("schedule %zu <%s>", length, text);
}

static void own(void) { omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, kMany); }

static int runtime_region(void) {
  struct loop loop = {{0}, 0};
#pragma omp parallel num_threads(kThreads)
  {
    bool had = false;
#pragma omp for schedule(runtime)
    for (int i = 0; i < kIterations; ++i) note(&loop, i, &had);
  }
  return threads_of(&loop);
}

static void act(const char *what) {
  if (strncmp(what, "set=", 4) == 0) {
    set(what + 4);
  } else {
    own();
  }
}

static void inner_regions(const char *what) {
  int threads[2] = {0, 0};
#pragma omp parallel num_threads(2)
  {
    const int number = omp_get_thread_num();
    if (number == 0) act(what);
    threads[number] = runtime_region();
  }
  say("inner %d %d", threads[0], threads[1]);
}

static void in_region(int caller) {
  struct loop before = {{0}, 0}, behind = {{0}, 0};
#pragma omp parallel num_threads(kThreads)
  {
    bool had = false;
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < kIterations; ++i) note(&before, i, &had);
    if (caller < 0 || omp_get_thread_num() == caller) own();
#pragma omp barrier
    had = false;
#pragma omp for schedule(runtime)
    for (int i = 0; i < kIterations; ++i) note(&behind, i, &had);
  }
  say("region %d %d", threads_of(&before), threads_of(&behind));
}

int main(int argc, char **argv) {
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i];
    if (strncmp(word, "set=", 4) == 0 || strcmp(word, "own") == 0) {
      act(word);
    } else if (strcmp(word, "get") == 0) {
      get();
    } else if (strcmp(word, "loop") == 0) {
      say("loop %d", runtime_region());
    } else if (strcmp(word, "once") == 0) {
      runtime_region();
      say("once");
    } else if (strcmp(word, "inner") == 0 && i + 1 < argc) {
      inner_regions(argv[++i]);
    } else if (strcmp(word, "one") == 0) {
      in_region(2);
    } else if (strcmp(word, "all") == 0) {
      in_region(-1);
    } else {
      say("unknown argument %s", word);
      return 2;
    }
  }
  return 0;
}
