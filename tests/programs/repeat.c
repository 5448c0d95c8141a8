/* SPDX-License-Identifier: BSD-3-Clause */
/* repeat N OUTER [INNER]: forks the same teams ten times, then N times, then once with rows. Tests
 * compare the system calls and allocations of N and 2N forks. If counter.c is preloaded, prints the
 * allocations and locks of the N forks. */
#define _GNU_SOURCE
#include "show.h"

#pragma weak counter_allocations
#pragma weak counter_locks
extern long counter_allocations(void);
extern long counter_locks(void);

static void fork_once(int outer, int inner, const char *label) {
#pragma omp parallel num_threads(outer)
  {
    if (inner == 0) {
      if (label != NULL) show(label);
    } else {
#pragma omp parallel num_threads(inner)
      if (label != NULL) show(label);
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long count = atol(argv[1]);
  int outer = atoi(argv[2]);
  int inner = argc > 3 ? atoi(argv[3]) : 0;
  for (int i = 0; i < 10; ++i) fork_once(outer, inner, NULL);
  int counted = counter_allocations != NULL && counter_locks != NULL;
  long allocations = counted ? counter_allocations() : 0;
  long locks = counted ? counter_locks() : 0;
  for (long i = 0; i < count; ++i) fork_once(outer, inner, NULL);
  if (counted) {
    allocations = counter_allocations() - allocations;
    locks = counter_locks() - locks;
    say("allocations %ld locks %ld", allocations, locks);
  }
  fork_once(outer, inner, "row");
  return 0;
}
