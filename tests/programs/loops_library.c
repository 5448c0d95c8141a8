/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with loops, one of them in its constructor. loops_teams.c loads it. Several threads may
 * call it at the same time. */
#define _GNU_SOURCE
#include <sched.h>

#include "loops.h"

static bool g_is_good = true;

__attribute__((visibility("default"))) bool loops_of_library(int threads) {
  bool is_good = true;
  for (int n = 0; n < 600; n += 83) {
    struct counts counts = {{0}, 0, 0};
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(runtime)
      for (int i = 0; i < n; ++i) count_iteration(&counts, (uint64_t)i);
#pragma omp for schedule(dynamic)
      for (long i = n; i < 2 * n; ++i) count_iteration(&counts, (uint64_t)i);
    }
    is_good = each_once(&counts, 2 * (uint64_t)n, "library") && is_good;
  }
  return is_good && g_is_good;
}

static bool master_is_last(void) {
  struct counts counts = {{0}, 0, 0};
  int left = 0;
#pragma omp parallel num_threads(3)
  {
    const int others = omp_get_thread_num() == 0 ? omp_get_num_threads() - 1 : 0;
    while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) < others) sched_yield();
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < 500; ++i) count_iteration(&counts, (uint64_t)i);
    __atomic_add_fetch(&left, 1, __ATOMIC_RELEASE);
  }
  return each_once(&counts, 500, "master last");
}

__attribute__((constructor)) static void loaded(void) {
  g_is_good = master_is_last() && loops_of_library(3);
}
