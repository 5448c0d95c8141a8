/* SPDX-License-Identifier: BSD-3-Clause */
/* combined SIZE INNER: uses each combined construct that has its own entry point of the runtime.
 * Each construct forks a team of SIZE. Each member gets one iteration or section, and forks a team
 * of INNER. */
#define _GNU_SOURCE
#include "show.h"

enum { kMembers = 4 };

static int g_inner = 2;

static void body(const char *label) {
#pragma omp parallel num_threads(g_inner)
  show(label);
}

/* A member keeps its iteration until each member has an iteration. */
static void iteration(const char *label, int *arrived) {
  show_meet(arrived, kMembers);
  body(label);
}

static void loops(void) {
  int a[8] = {0};
#pragma omp parallel for num_threads(kMembers) schedule(static)
  for (int i = 0; i < kMembers; ++i) iteration("static", &a[0]);
#pragma omp parallel for num_threads(kMembers) schedule(static, 1)
  for (int i = 0; i < kMembers; ++i) iteration("static-chunk", &a[1]);
#pragma omp parallel for num_threads(kMembers) schedule(dynamic)
  for (int i = 0; i < kMembers; ++i) iteration("dynamic", &a[2]);
#pragma omp parallel for num_threads(kMembers) schedule(guided)
  for (int i = 0; i < kMembers; ++i) iteration("guided", &a[3]);
#pragma omp parallel for num_threads(kMembers) schedule(runtime)
  for (int i = 0; i < kMembers; ++i) iteration("runtime", &a[4]);
#pragma omp parallel for num_threads(kMembers) schedule(monotonic : dynamic)
  for (int i = 0; i < kMembers; ++i) iteration("monotonic-dynamic", &a[5]);
#pragma omp parallel for num_threads(kMembers) schedule(monotonic : guided)
  for (int i = 0; i < kMembers; ++i) iteration("monotonic-guided", &a[6]);
#pragma omp parallel for num_threads(kMembers) schedule(monotonic : runtime)
  for (int i = 0; i < kMembers; ++i) iteration("monotonic-runtime", &a[7]);
}

static void more_loops(void) {
  int a[5] = {0};
#pragma omp parallel for num_threads(kMembers) schedule(nonmonotonic : dynamic)
  for (int i = 0; i < kMembers; ++i) iteration("nonmonotonic-dynamic", &a[0]);
#pragma omp parallel for num_threads(kMembers) schedule(nonmonotonic : guided)
  for (int i = 0; i < kMembers; ++i) iteration("nonmonotonic-guided", &a[1]);
#pragma omp parallel for num_threads(kMembers) schedule(nonmonotonic : runtime)
  for (int i = 0; i < kMembers; ++i) iteration("nonmonotonic-runtime", &a[2]);
#pragma omp parallel for num_threads(kMembers) schedule(auto)
  for (int i = 0; i < kMembers; ++i) iteration("auto", &a[3]);
  int sum = 0;
#pragma omp parallel for simd num_threads(kMembers) schedule(static) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  say("sum %d", sum);
#pragma omp parallel for num_threads(kMembers) schedule(static) ordered
  for (int i = 0; i < kMembers; ++i) {
#pragma omp ordered
    body("ordered");
  }
}

static void sections(void) {
  int arrived = 0;
#pragma omp parallel sections num_threads(kMembers)
  {
#pragma omp section
    iteration("sections", &arrived);
#pragma omp section
    iteration("sections", &arrived);
#pragma omp section
    iteration("sections", &arrived);
#pragma omp section
    iteration("sections", &arrived);
  }
}

static void reductions(void) {
  int sum = 0;
#pragma omp parallel num_threads(kMembers) reduction(task, + : sum)
  {
    body("task-reduction");
#pragma omp task in_reduction(+ : sum)
    sum += omp_get_team_size(1);
  }
  say("task reduction %d", sum);
  sum = 0;
#pragma omp parallel for num_threads(kMembers) reduction(task, + : sum)
  for (int i = 0; i < kMembers; ++i) {
    body("loop-task-reduction");
#pragma omp task in_reduction(+ : sum)
    sum += 1;
  }
  say("loop task reduction %d", sum);
}

static void masters(void) {
#pragma omp parallel master num_threads(kMembers)
  body("parallel-master");
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  g_inner = atoi(argv[1]);
  omp_set_schedule(omp_sched_dynamic, 1);
  loops();
  more_loops();
  sections();
  reductions();
  masters();
  return 0;
}
