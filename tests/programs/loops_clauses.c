/* SPDX-License-Identifier: BSD-3-Clause */
/* loops_clauses [CHECK]...: lastprivate, reduction, ordered and cancelled loops, in teams of 1 to
 * 8. */
#define _GNU_SOURCE
#include "loops.h"

static struct counts g_counts;

/* Early iterations take longer, so other threads steal them. */
static void uneven(int i, int n) { work((uint64_t)(n - i) / 8 + (uint64_t)(i % 7 == 0 ? 300 : 0)); }

#define LAST(name, ...)                                                                         \
  static bool name##_writes_back(void) {                                                        \
    bool is_good = true;                                                                        \
    for (int threads = 1; threads <= kMostThreads; ++threads) {                                 \
      for (int size = 1; size < kSizes; size += 2) {                                            \
        const int n = loop_sizes()[size];                                                       \
        int value = -1, index = -1;                                                             \
        PRAGMA(omp parallel num_threads(threads)) {                                             \
          PRAGMA(omp for schedule(__VA_ARGS__) lastprivate(value, index))                       \
          for (index = 0; index < n; ++index) {                                                 \
            value = 3 * index + 1;                                                              \
            uneven(index, n);                                                                   \
          }                                                                                     \
        }                                                                                       \
        if (value == 3 * n - 2 && index == n) continue;                                         \
        TELL("lastprivate, %d threads, %d iterations: %d, and the index %d", threads, n, value, \
             index);                                                                            \
        is_good = false;                                                                        \
      }                                                                                         \
    }                                                                                           \
    return is_good;                                                                             \
  }

LAST(runtime, runtime)
LAST(monotonic, monotonic : runtime)
LAST(dynamic, dynamic)
LAST(guided, guided)

static bool other_loops_write_back(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int n = 1; n < 60; n += 7) {
      long value = -1;
#pragma omp parallel for num_threads(threads) schedule(runtime) lastprivate(value)
      for (long i = 2L * n; i > 0; i -= 2) {
        value = i;
        uneven((int)(2L * n - i), 2 * n);
      }
      is_good = is_good && value == 2;
      int pair = -1;
#pragma omp parallel for num_threads(threads) collapse(2) schedule(runtime) lastprivate(pair)
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 5; ++k) {
          pair = 5 * i + k;
          uneven(pair, 5 * n);
        }
      }
      is_good = is_good && pair == 5 * n - 1;
      if (!is_good) TELL("%d threads, %d iterations: %ld, %d", threads, n, value, pair);
    }
  }
  return is_good;
}

static bool conditional_is_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int n = 1; n < 100; n += 11) {
      int value = -1;
#pragma omp parallel for num_threads(threads) schedule(runtime) lastprivate(conditional : value)
      for (int i = 0; i < n; ++i) {
        if (i % 5 == 0) value = i;
      }
      if (value == (n - 1) / 5 * 5) continue;
      TELL("%d threads, %d iterations: %d", threads, n, value);
      is_good = false;
    }
  }
  return is_good;
}

static bool reductions_are_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int size = 0; size < kSizes; size += 2) {
      const int n = loop_sizes()[size];
      long sum = 0, rows[3] = {0, 0, 0};
      int least = 1 << 30;
      unsigned bits = 0;
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime) reduction(+ : sum, rows) reduction(min : least) \
    reduction(| : bits)
        for (int i = 0; i < n; ++i) {
          sum += i;
          rows[i % 3] += 1;
          least = n - i < least ? n - i : least;
          bits |= 1U << i % 32;
        }
#pragma omp for schedule(runtime) reduction(+ : sum) nowait
        for (int i = n; i > 0; --i) sum -= 1;
      }
      const long all = (long)n * (n - 1) / 2 - n;
      const bool is_right = sum == all && rows[0] + rows[1] + rows[2] == n &&
                            rows[0] == (n + 2) / 3 && least == (n > 0 ? 1 : 1 << 30) &&
                            bits == (n >= 32 ? ~0U : (1U << n) - 1);
      if (is_right) continue;
      TELL("%d threads, %d iterations: sum %ld, expected %ld", threads, n, sum, all);
      is_good = false;
    }
  }
  return is_good;
}

static bool task_reductions_are_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int n = 0; n < 50; n += 9) {
      int loops = 0, tasks = 0;
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime) reduction(task, + : tasks)
        for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : tasks)
          tasks += i;
        }
#pragma omp for schedule(runtime) reduction(+ : loops)
        for (int i = 0; i < n; ++i) loops += i;
      }
      const int all = n * (n - 1) / 2;
      if (tasks == all && loops == all) continue;
      TELL("%d threads, %d iterations: %d by tasks, %d by a later loop", threads, n, tasks, loops);
      is_good = false;
    }
  }
  return is_good;
}

static bool ordered_is_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int n = 0; n < 60; n += 13) {
      int next = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime) ordered
        for (int i = 0; i < n; ++i) {
          count_iteration(&g_counts, (uint64_t)i);
#pragma omp ordered
          wrong += next++ != i;
        }
#pragma omp for schedule(runtime)
        for (int i = n; i < 2 * n; ++i) count_iteration(&g_counts, (uint64_t)i);
      }
      is_good = each_once(&g_counts, 2 * (uint64_t)n, "ordered, and one behind") && is_good;
      if (wrong == 0) continue;
      TELL("%d threads, %d iterations: %d out of order", threads, n, wrong);
      is_good = false;
    }
  }
  return is_good;
}

/* Each iteration waits for the previous iteration. GCC's programs cannot do this on LLVM 19's
 * runtime. */
static bool chain_is_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= 3; ++threads) {
    for (int n = 0; n < 60; n += 13) {
      int linked[61] = {1};
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime) ordered(1)
        for (int i = 1; i <= n; ++i) {
#pragma omp ordered depend(sink : i - 1)
          linked[i] = linked[i - 1] + 1;
#pragma omp ordered depend(source)
        }
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; ++i) count_iteration(&g_counts, (uint64_t)i);
      }
      is_good = each_once(&g_counts, (uint64_t)n, "behind a chain") && is_good;
      if (linked[n] == n + 1) continue;
      TELL("%d threads, %d iterations: a chain of %d", threads, n, linked[n]);
      is_good = false;
    }
  }
  return is_good;
}

static bool cancel_is_right(void) {
  if (!omp_get_cancellation()) say(" OMP_CANCELLATION is not set");
  static struct counts behind;
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int size = 0; size < kSizes; size += 3) {
      const int n = loop_sizes()[size];
      static struct counts cancelled;
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; ++i) count_iteration(&g_counts, (uint64_t)i);
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; ++i) {
          count_iteration(&cancelled, (uint64_t)i);
          if (i == n / 2) {
#pragma omp cancel for
          }
#pragma omp cancellation point for
        }
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; ++i) count_iteration(&behind, (uint64_t)i);
      }
      for (int i = 0; i < kMostIterations; ++i) {
        if (cancelled.of[i] <= (i < n ? 1 : 0)) continue;
        TELL("%d threads, %d iterations: a cancelled loop ran %d again", threads, n, i);
        is_good = false;
      }
      memset(&cancelled, 0, sizeof cancelled);
      is_good = each_once(&g_counts, (uint64_t)n, "before a cancelled loop") && is_good;
      is_good = each_once(&behind, (uint64_t)n, "behind a cancelled loop") && is_good;
    }
  }
  return is_good;
}

int main(int argc, char **argv) {
  static const struct check kChecks[] = {
      {"last-runtime", runtime_writes_back},
      {"last-monotonic", monotonic_writes_back},
      {"last-dynamic", dynamic_writes_back},
      {"last-guided", guided_writes_back},
      {"last-others", other_loops_write_back},
      {"conditional", conditional_is_right},
      {"reductions", reductions_are_right},
      {"task-reductions", task_reductions_are_right},
      {"ordered", ordered_is_right},
      {"chain", chain_is_right},
      {"cancel", cancel_is_right},
      {NULL, NULL},
  };
  return run_checks(kChecks, argc, argv);
}
