/* SPDX-License-Identifier: BSD-3-Clause */
/* Each program that includes this file has only one source file. So the static variables are not
 * duplicated. */
#ifndef BENCH_NESTED_CONSTRUCTS_H
#define BENCH_NESTED_CONSTRUCTS_H

#include <omp.h>
#include <sched.h>
#include <stdbool.h>

#include "team_sizes.h"

static int g_delay_length;
static bool g_wrong; /* a reduction did not give the team's size */
static struct team_sizes g_sizes;

static void delay(int length) {
  volatile float sum = 0;
  for (int i = 0; i < length; ++i) sum = sum + (float)i;
}

static void parallel(long repetitions) {
  for (long i = 0; i < repetitions; ++i) {
#pragma omp parallel
    delay(g_delay_length);
  }
}

static void reduction(long repetitions) {
  for (long i = 0; i < repetitions; ++i) {
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
      delay(g_delay_length);
      members += 1;
    }
    if (g_sizes.inner != members) {
#pragma omp atomic write
      g_wrong = true;
    }
  }
}

typedef void (*construct)(long repetitions);

/* `time` is 1 for the first call in a region, 2 for the second call, and so on. */
static void wait_for_all_primaries(int *arrived, int time) {
  __atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < time * g_sizes.outer) sched_yield();
}

static bool sizes_are_right(void) {
  bool right = omp_get_max_threads() == g_sizes.outer;
#pragma omp parallel if (g_sizes.inner > 0)
  if (g_sizes.inner > 0) {
    set_inner_size(&g_sizes);
    int inner = 0;
#pragma omp parallel
#pragma omp master
    inner = omp_get_num_threads();
    if (omp_get_num_threads() != g_sizes.outer || inner != g_sizes.inner) {
#pragma omp atomic write
      right = false;
    }
  }
  return right;
}

#endif
