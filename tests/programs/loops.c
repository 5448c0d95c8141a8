/* SPDX-License-Identifier: BSD-3-Clause */
/* loops [CHECK]...: each iteration of a loop runs once, in teams of 1 to 8. The loops are in
 * functions that the team calls. */
#define _GNU_SOURCE
#include "loops.h"

#include <limits.h>

typedef unsigned long long unsigned_long_long;

/* A loop of `count` iterations. If `is_up` is true, the loop begins at `low`. Otherwise it ends at
 * `low`. All types store their numbers modulo 2^64. */
struct space {
  uint64_t low;
  uint64_t count;
  uint64_t step;
  uint64_t slack; /* distance from the end to the next multiple of step; less than step */
  bool is_up;
};

enum { kAtOnce = 4 };
static struct counts g_row[kAtOnce];
static struct counts g_counts;

/* `rises` is 1 if the schedule is monotonic. */
#define LOOP(name, type, rises, ...)                                                            \
  static void type##_##name(const struct space *space, struct counts *counts) {                 \
    const type low = (type)space->low;                                                          \
    const type high = (type)(space->low + space->count * space->step);                          \
    const type step = (type)space->step;                                                        \
    const type slack = (type)space->slack;                                                      \
    uint64_t before = 0;                                                                        \
    if (space->is_up) {                                                                         \
      PRAGMA(omp for schedule(__VA_ARGS__))                                                     \
      for (type i = low; i < high - slack; i += step) {                                         \
        before =                                                                                \
            count_rising(counts, ((uint64_t)i - (uint64_t)low) / space->step, rises * before);  \
      }                                                                                         \
    } else {                                                                                    \
      PRAGMA(omp for schedule(__VA_ARGS__))                                                     \
      for (type i = high; i > low + slack; i -= step) {                                         \
        before =                                                                                \
            count_rising(counts, ((uint64_t)high - (uint64_t)i) / space->step, rises * before); \
      }                                                                                         \
    }                                                                                           \
  }

#define LOOPS(type)                                              \
  LOOP(runtime, type, 0, runtime)                                \
  LOOP(monotonic_runtime, type, 1, monotonic : runtime)          \
  LOOP(nonmonotonic_runtime, type, 0, nonmonotonic : runtime)    \
  LOOP(dynamic, type, 0, dynamic)                                \
  LOOP(dynamic_3, type, 0, dynamic, 3)                           \
  LOOP(guided, type, 0, guided)                                  \
  LOOP(guided_5, type, 0, guided, 5)                             \
  LOOP(nonmonotonic_dynamic, type, 0, nonmonotonic : dynamic, 7) \
  LOOP(nonmonotonic_guided, type, 0, nonmonotonic : guided)      \
  LOOP(monotonic_dynamic, type, 1, monotonic : dynamic, 2)       \
  LOOP(static, type, 1, static)

LOOPS(int)
LOOPS(long)
LOOPS(unsigned)
LOOPS(unsigned_long_long)

struct loop {
  const char *name;
  void (*run)(const struct space *space, struct counts *counts);
};

#define ROW(type, name) {#type " " #name, type##_##name}
#define ROWS(type)                                                                      \
  ROW(type, runtime), ROW(type, monotonic_runtime), ROW(type, nonmonotonic_runtime),    \
      ROW(type, dynamic), ROW(type, dynamic_3), ROW(type, guided), ROW(type, guided_5), \
      ROW(type, nonmonotonic_dynamic), ROW(type, nonmonotonic_guided),                  \
      ROW(type, monotonic_dynamic), ROW(type, static)

enum { kLoops = 11 };
static const struct loop kInt[kLoops] = {ROWS(int)};
static const struct loop kLong[kLoops] = {ROWS(long)};
static const struct loop kUnsigned[kLoops] = {ROWS(unsigned)};
static const struct loop kUnsignedLongLong[kLoops] = {ROWS(unsigned_long_long)};

struct piece {
  const struct loop *loop;
  struct space space;
};

static bool are_right(const struct piece *pieces, int count) {
  bool is_good = true;
  for (int i = 0; i < count; ++i) pieces[i].loop->run(&pieces[i].space, &g_row[i]);
#pragma omp single
  for (int i = 0; i < count; ++i) {
    is_good = each_once(&g_row[i], pieces[i].space.count, pieces[i].loop->name) && is_good;
  }
  return is_good;
}

static bool some_right(const struct loop *loops, const struct space *spaces, int count,
                       int threads) {
  static uint64_t state;
  const int begin = (int)(random_number(&state) % kLoops);
  bool is_good = true;
#pragma omp parallel num_threads(threads) reduction(&& : is_good)
  for (int s = 0; s < count; ++s) {
    struct piece pieces[kAtOnce];
    for (int i = 0; i < kAtOnce; ++i) {
      pieces[i] = (struct piece){&loops[(begin + 5 * s + 3 * i) % kLoops], spaces[s]};
    }
    is_good = are_right(pieces, kAtOnce) && is_good;
  }
  return is_good;
}

static bool sizes_are_right(void) {
  const int *sizes = loop_sizes();
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
#pragma omp parallel num_threads(threads) reduction(&& : is_good)
    for (int i = 0; i < kSizes; i += 2) {
      const struct piece pieces[kAtOnce] = {
          {&kInt[0], {0, (uint64_t)sizes[i], 1, 0, true}},
          {&kInt[(i + threads) % kLoops], {7, (uint64_t)sizes[i], 1, 0, false}},
          {&kInt[0], {0, (uint64_t)sizes[i + 1], 1, 0, true}},
          {&kInt[(i + 1 + threads) % kLoops], {7, (uint64_t)sizes[i + 1], 1, 0, false}},
      };
      is_good = are_right(pieces, kAtOnce) && is_good;
    }
  }
  return is_good;
}

/* Makes loops near `least`, `middle` and `greatest`, two of them without iterations. Returns their
 * number. */
enum { kSpaces = 14 };
static int borders(struct space *spaces, uint64_t least, uint64_t middle, uint64_t greatest) {
  static const uint64_t kSteps[] = {1, 3, 1000};
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const uint64_t step = kSteps[i];
    const uint64_t n = i == 0 ? 257 : 100;
    const uint64_t lows[] = {least, middle - n / 2 * step, greatest - n * step};
    for (int k = 0; k < 3; ++k) {
      spaces[count++] = (struct space){lows[k], n, step, (step - 1) / 2, (i + k) % 2 == 0};
    }
  }
  spaces[count++] = (struct space){least, 3, 7, 6, false};
  spaces[count++] = (struct space){greatest - 3 * 7, 3, 7, 6, true};
  spaces[count++] = (struct space){middle, 1, 5, 0, true};
  spaces[count++] = (struct space){least, 0, 1, 0, false};
  spaces[count++] = (struct space){greatest, 0, 1, 0, true};
  return count;
}

enum direction { kUpwards, kDownwards, kEither };

static bool type_is_right(const struct loop *loops, uint64_t least, uint64_t middle,
                          uint64_t greatest, enum direction direction) {
  static const int kTeams[] = {1, 2, 3, 8};
  struct space spaces[kSpaces];
  const int count = borders(spaces, least, middle, greatest);
  for (int i = 0; i < count && direction != kEither; ++i) {
    spaces[i].is_up = direction == kUpwards;
  }
  bool is_good = true;
  for (int i = 0; i < 4; ++i) is_good = some_right(loops, spaces, count, kTeams[i]) && is_good;
  return is_good;
}

static bool int_is_right(void) {
  return type_is_right(kInt, (uint64_t)INT_MIN, 0, INT_MAX, kEither);
}
static bool long_is_right(void) {
  return type_is_right(kLong, (uint64_t)LONG_MIN, 0, LONG_MAX, kEither);
}

/* Loops that go down have their own check, because GCC 12 makes wrong calls for them. */
static bool unsigned_is_right(void) {
  return type_is_right(kUnsigned, 0, UINT64_C(1) << 31, UINT_MAX, kUpwards);
}
static bool unsigned_down_is_right(void) {
  return type_is_right(kUnsigned, 0, UINT64_C(1) << 31, UINT_MAX, kDownwards);
}

/* Loops that go down fail with the GCC entry points of LLVM 19's runtime. */
static bool long_unsigned_is_right(void) {
  return type_is_right(kUnsignedLongLong, 0, UINT64_C(1) << 63, ULLONG_MAX, kUpwards) &&
         type_is_right(kUnsignedLongLong, 0, UINT64_C(1) << 32, ULLONG_MAX, kUpwards);
}
static bool long_unsigned_down_is_right(void) {
  return type_is_right(kUnsignedLongLong, 0, UINT64_C(1) << 63, ULLONG_MAX, kDownwards);
}

static bool conditions_are_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int n = 0; n < 40; n += 3) {
#pragma omp parallel num_threads(threads)
      {
#pragma omp for schedule(runtime)
        for (long i = -n; i <= n; ++i) count_iteration(&g_counts, (uint64_t)(i + n));
#pragma omp single
        is_good = each_once(&g_counts, 2 * (uint64_t)n + 1, "<=") && is_good;
#pragma omp for schedule(runtime)
        for (int i = n; i >= 0; i -= 1) count_iteration(&g_counts, (uint64_t)(n - i));
#pragma omp single
        is_good = each_once(&g_counts, (uint64_t)n + 1, ">=") && is_good;
#pragma omp for schedule(runtime)
        for (unsigned i = 0; i != (unsigned)n; ++i) count_iteration(&g_counts, i);
#pragma omp single
        is_good = each_once(&g_counts, (uint64_t)n, "!=") && is_good;
#pragma omp for schedule(runtime)
        for (int i = n; i < 0; ++i) count_iteration(&g_counts, 0);
#pragma omp single
        is_good = each_once(&g_counts, 0, "none") && is_good;
      }
    }
  }
  return is_good;
}

static bool collapse_is_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int n = 0; n <= 21; n += 7) {
      const int m = 30 - n;
#pragma omp parallel num_threads(threads)
      {
#pragma omp for collapse(2) schedule(runtime)
        for (int i = 0; i < n; ++i) {
          for (long k = m; k > 0; --k) count_iteration(&g_counts, (uint64_t)(i * m + m - k));
        }
#pragma omp single
        is_good = each_once(&g_counts, (uint64_t)n * (uint64_t)m, "collapse(2)") && is_good;
#pragma omp for collapse(3) schedule(runtime)
        for (int i = 0; i < n; ++i) {
          for (int k = 0; k < 3 * m; k += 3) {
            for (unsigned l = 5; l < 9; ++l) {
              count_iteration(&g_counts, (uint64_t)((i * m + k / 3) * 4) + l - 5);
            }
          }
        }
#pragma omp single
        is_good = each_once(&g_counts, (uint64_t)n * (uint64_t)m * 4, "collapse(3)") && is_good;
      }
    }
  }
  return is_good;
}

static bool combined_is_right(void) {
  bool is_good = true;
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    for (int size = 0; size < kSizes; size += 3) {
      const int n = loop_sizes()[size];
#pragma omp parallel for num_threads(threads) schedule(runtime)
      for (int i = 0; i < n; ++i) count_iteration(&g_counts, (uint64_t)i);
      is_good = each_once(&g_counts, (uint64_t)n, "parallel for") && is_good;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 2)
      for (long i = n; i > 0; --i) count_iteration(&g_counts, (uint64_t)(n - i));
      is_good = each_once(&g_counts, (uint64_t)n, "parallel for dynamic") && is_good;
#pragma omp parallel for num_threads(threads) schedule(guided)
      for (unsigned_long_long i = 0; i < (unsigned)n; ++i) count_iteration(&g_counts, i);
      is_good = each_once(&g_counts, (uint64_t)n, "parallel for guided") && is_good;
#pragma omp parallel for num_threads(threads) schedule(monotonic : runtime)
      for (int i = n; i > 0; --i) count_iteration(&g_counts, (uint64_t)(n - i));
      is_good = each_once(&g_counts, (uint64_t)n, "parallel for monotonic") && is_good;
#pragma omp parallel for simd num_threads(threads) schedule(runtime)
      for (int i = 0; i < n; ++i) g_counts.of[i] += 1;
      is_good = each_once(&g_counts, (uint64_t)n, "parallel for simd") && is_good;
    }
  }
  return is_good;
}

static bool alone_is_right(void) {
  bool is_good = true;
  for (int size = 0; size < kSizes; ++size) {
    struct piece piece = {NULL, {3, (uint64_t)loop_sizes()[size], 1, 0, size % 2 == 0}};
    for (int loop = 0; loop < kLoops; ++loop) {
      piece.loop = &kInt[loop];
      is_good = are_right(&piece, 1) && is_good;
    }
    piece.loop = &kLong[size % kLoops];
#pragma omp parallel if (size < 0)
    is_good = are_right(&piece, 1) && is_good;
  }
  return is_good;
}

int main(int argc, char **argv) {
  static const struct check kChecks[] = {
      {"sizes", sizes_are_right},
      {"int", int_is_right},
      {"long", long_is_right},
      {"unsigned", unsigned_is_right},
      {"unsigned-down", unsigned_down_is_right},
      {"long-unsigned", long_unsigned_is_right},
      {"long-unsigned-down", long_unsigned_down_is_right},
      {"conditions", conditions_are_right},
      {"collapse", collapse_is_right},
      {"combined", combined_is_right},
      {"alone", alone_is_right},
      {NULL, NULL},
  };
  return run_checks(kChecks, argc, argv);
}
