/* SPDX-License-Identifier: BSD-3-Clause */
/* procs SIZE: prints omp_get_num_procs() and the sizes of dynamic teams, which binding must not
 * change. */
#define _GNU_SOURCE
#include "show.h"

/* libgomp chooses the size of dynamic teams by the system load. */
int getloadavg(double *load, int count) {
  for (int i = 0; i < count; ++i) load[i] = 0.0;
  return count;
}

static void tell(const char *when) { say("%s: procs %d", when, omp_get_num_procs()); }

/* libgomp's threads use the same buffer for the C library's answer. */
static void tell_at_once(int size) {
  enum { kQuestions = 100000 };
  int here = omp_get_num_procs();
  int wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  for (int i = 0; i < kQuestions; ++i) wrong += omp_get_num_procs() != here ? 1 : 0;
  say("at once: %s", wrong == 0 ? "as before" : "wrong");
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int size = atoi(argv[1]);
  tell("before");
#pragma omp parallel num_threads(size)
#pragma omp critical
  tell("inside");
  tell("after");
  tell_at_once(size);
#pragma omp parallel num_threads(size)
  {
#pragma omp parallel num_threads(1)
#pragma omp critical
    tell("nested");
  }
  omp_set_dynamic(1);
  for (int round = 0; round < 3; ++round) {
    int got = 0;
#pragma omp parallel num_threads(size)
#pragma omp single
    got = omp_get_num_threads();
    say("dynamic team of %d", got);
  }
  return 0;
}
