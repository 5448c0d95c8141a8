/* SPDX-License-Identifier: BSD-3-Clause */
/* loops_around [CHECK]...: loops next to other loops and constructs, without barriers. */
#define _GNU_SOURCE
#include "loops.h"

enum { kInARow = 50, kPassed = 100, kWaits = 20000 };

static struct counts g_counts[kInARow];

/* Each size occurs twice. */
static bool nowait_is_right(void) {
  const int *sizes = loop_sizes();
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 4; ++round) {
      for (int l = 0; l < kInARow; ++l) {
        const int n = sizes[(l + round) % kSizes] % 1100;
        work((uint64_t)((omp_get_thread_num() * 37 + l * 11) % 13) * 100);
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[l], (uint64_t)i);
      }
#pragma omp barrier
#pragma omp single
      for (int l = 0; l < kInARow; ++l) {
        const int n = sizes[(l + round) % kSizes] % 1100;
        is_good = each_once(&g_counts[l], (uint64_t)n, "nowait") && is_good;
      }
    }
  }
  return is_good;
}

static bool mixture_is_right(void) {
  const int *sizes = loop_sizes();
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int size = 0; size < kSizes; size += 2) {
      const int n = sizes[size];
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[0], (uint64_t)i);
#pragma omp for schedule(static, 3) nowait
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[1], (uint64_t)i);
#pragma omp for schedule(dynamic) nowait
        for (long i = 0; i < n; ++i) count_iteration(&g_counts[2], (uint64_t)i);
#pragma omp sections nowait
        {
#pragma omp section
          count_iteration(&g_counts[3], 0);
#pragma omp section
          count_iteration(&g_counts[3], 1);
#pragma omp section
          count_iteration(&g_counts[3], 2);
        }
#pragma omp for schedule(runtime) nowait
        for (unsigned i = 0; i < (unsigned)n; ++i) count_iteration(&g_counts[4], i);
#pragma omp single nowait
        count_iteration(&g_counts[5], 0);
#pragma omp for schedule(guided, 2) nowait
        for (int i = n; i > 0; --i) count_iteration(&g_counts[6], (uint64_t)(n - i));
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[7], (uint64_t)i);
#pragma omp for schedule(monotonic : runtime)
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[8], (uint64_t)i);
#pragma omp sections
        {
#pragma omp section
          count_iteration(&g_counts[9], 0);
#pragma omp section
          count_iteration(&g_counts[9], 1);
        }
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[10], (uint64_t)i);
      }
      static const int kOnce[] = {-1, -1, -1, 3, -1, 1, -1, -1, -1, 2, -1};
      for (int l = 0; l < 11; ++l) {
        const int all = kOnce[l] < 0 ? n : kOnce[l];
        is_good = each_once(&g_counts[l], (uint64_t)all, "mixture") && is_good;
      }
    }
  }
  return is_good;
}

static bool taskloop_is_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int n = 0; n < 300; n += 37) {
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < n; ++i) {
#pragma omp task
          count_iteration(&g_counts[0], (uint64_t)i);
        }
#pragma omp single nowait
#pragma omp taskloop grainsize(5)
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[1], (uint64_t)i);
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; ++i) count_iteration(&g_counts[2], (uint64_t)i);
      }
      for (int l = 0; l < 3; ++l)
        is_good = each_once(&g_counts[l], (uint64_t)n, "taskloop") && is_good;
    }
  }
  return is_good;
}

static bool own_schedule_is_right(void) {
  static const omp_sched_t kKinds[] = {omp_sched_dynamic, omp_sched_static, omp_sched_guided};
  bool is_good = true;
  for (int kind = 0; kind < 3; ++kind) {
    omp_set_schedule(kKinds[kind], kind + 2);
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(runtime)
      for (int i = 0; i < 500; ++i) count_iteration(&g_counts[0], (uint64_t)i);
#pragma omp barrier
      omp_set_schedule(kKinds[(kind + 1) % 3], 1);
#pragma omp for schedule(runtime)
      for (int i = 0; i < 500; ++i) count_iteration(&g_counts[1], (uint64_t)i);
    }
    for (int l = 0; l < 2; ++l)
      is_good = each_once(&g_counts[l], 500, "omp_set_schedule") && is_good;
  }
  return is_good;
}

/* One thread stays in the first loop until the others have passed a hundred more loops. No thread
 * may wait for it. */
static bool late_is_right(void) {
  enum { kThreads = 4 };
  static struct counts counts[kPassed];
  bool is_good = true;
  int passed = 0;
#pragma omp parallel num_threads(kThreads)
  {
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < 64; ++i) {
      count_iteration(&g_counts[0], (uint64_t)i);
      for (int wait = 0; i == 0 && wait < kWaits; ++wait) {
        if (__atomic_load_n(&passed, __ATOMIC_ACQUIRE) >= omp_get_num_threads() - 1) break;
        if (wait == kWaits - 1) is_good = false;
        usleep(500);
      }
    }
    for (int l = 0; l < kPassed; ++l) {
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < 10 + l; ++i) count_iteration(&counts[l], (uint64_t)i);
    }
    __atomic_add_fetch(&passed, 1, __ATOMIC_ACQ_REL);
  }
  if (!is_good) say(" the others do not pass");
  is_good = each_once(&g_counts[0], 64, "late") && is_good;
  for (int l = 0; l < kPassed; ++l)
    is_good = each_once(&counts[l], (uint64_t)(10 + l), "passed") && is_good;
  return is_good;
}

static bool delays_are_right(void) {
  bool is_good = true;
  for (int round = 0; round < 40; ++round) {
    static uint64_t state;
    const uint64_t chance = random_number(&state);
#pragma omp parallel num_threads(4)
    for (int l = 0; l < kInARow; ++l) {
      const int sleeper = (int)(chance >> l % 32) & 3;
      if (l % 10 == 3 && sleeper == omp_get_thread_num()) usleep(200);
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < 100; ++i) count_iteration(&g_counts[l], (uint64_t)i);
    }
    for (int l = 0; l < kInARow; ++l) is_good = each_once(&g_counts[l], 100, "delays") && is_good;
  }
  return is_good;
}

int main(int argc, char **argv) {
  static const struct check kChecks[] = {
      {"nowait", nowait_is_right},
      {"mixture", mixture_is_right},
      {"taskloop", taskloop_is_right},
      {"late", late_is_right},
      {"delays", delays_are_right},
      {"own-schedule", own_schedule_is_right}, /* changes the schedule of all later loops */
      {NULL, NULL},
  };
  return run_checks(kChecks, argc, argv);
}
