// SPDX-License-Identifier: BSD-3-Clause
// The common code of the generated programs.
#pragma once

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long number;

enum { kLoops = 8, kMost = 3000 };

struct team {
  _Atomic unsigned short runs[kLoops][kMost];
  _Atomic number sums[kLoops];
  _Atomic number order[kLoops];
};

static _Atomic int g_wrong;
static _Atomic number g_sum;  // of all teams

static inline number mixed(number value) {
  value = (value + 1) * 0x9e3779b97f4a7c15ULL;
  return value ^ (value >> 29U);
}

static inline void complain(const char* loop, const char* what, number found, number expected) {
  if (atomic_fetch_add(&g_wrong, 1) < 10) {
    fprintf(stderr, "%s: %s %llu, not %llu\n", loop, what, found, expected);
  }
}

static inline struct team* new_team(void) {
  struct team* team = calloc(1, sizeof *team);
  if (team == NULL) {
    abort();
  }
  return team;
}

// Counts a run of the iteration.
static inline void run(struct team* team, int loop, number iteration, number count,
                       const char* name) {
  if (iteration >= count) {
    complain(name, "an iteration is", iteration, count);
    return;
  }
  atomic_fetch_add(&team->runs[loop][iteration], 1);
  atomic_fetch_add(&team->sums[loop], mixed(iteration));
  if (mixed(iteration * 31 + (number)omp_get_thread_num()) % 499 == 0) {
    sched_yield();
  }
}

// Called in ordered regions: checks that iterations come in order.
static inline void come(struct team* team, int loop, number iteration, number count,
                        const char* name) {
  const number before = atomic_fetch_add(&team->order[loop], 1);
  if (before % count != iteration) {
    complain(name, "in order came", iteration, before % count);
  }
}

// Checks a loop that was executed `times` times. `reduced` is the result of its reduction, or null
// if the loop has no reduction.
static inline void check(struct team* team, int loop, number count, unsigned times,
                         const number* reduced, const char* name) {
  number sum = 0;
  for (number i = 0; i < count; ++i) {
    if (team->runs[loop][i] != times) {
      complain(name, "an iteration ran, in times,", team->runs[loop][i], times);
    }
    sum += times * mixed(i);
  }
  if (team->sums[loop] != sum) {
    complain(name, "the sum is", team->sums[loop], sum);
  }
  if (reduced != NULL && *reduced != sum) {
    complain(name, "the reduction is", *reduced, sum);
  }
  atomic_fetch_add(&g_sum, team->sums[loop]);
}

static inline int tell(void) {
  printf("%llx, %d wrong\n", (number)g_sum, (int)g_wrong);
  return g_wrong != 0 ? 3 : 0;
}
