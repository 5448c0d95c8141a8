/* SPDX-License-Identifier: BSD-3-Clause */
/* loops_large [CHECK]...: loops of 2^32 to nearly 2^64 iterations. Programs cannot run so many
 * iterations. So this program calls the runtime's entry points, and checks the ranges that they
 * return. Chunks are large, so there are few ranges. */
#define _GNU_SOURCE
#include "loops.h"

typedef unsigned long long unsigned_long_long;

/* All numbers are modulo 2^64. */
struct large {
  uint64_t first;
  uint64_t count;
  uint64_t step;
  bool is_up;
};

/* Iterations [begin, end), counted from 0. */
struct range {
  uint64_t begin;
  uint64_t end;
};

enum { kMostRanges = 1 << 16 };
static struct range g_ranges[kMostRanges];
static int g_count;

/* Notes the range from `low` to `high`, both included, and returns the next iteration. */
static uint64_t note(const struct large *loop, uint64_t low, uint64_t high) {
  const uint64_t before = loop->is_up ? low - loop->first : loop->first - low;
  const uint64_t further = loop->is_up ? high - low : low - high;
  const uint64_t begin = before / loop->step;
  const uint64_t end = begin + further / loop->step + 1;
  const int place = __atomic_fetch_add(&g_count, 1, __ATOMIC_RELAXED);
  if (place < kMostRanges) g_ranges[place] = (struct range){begin, end};
  return end;
}

static int by_begin(const void *left, const void *right) {
  const uint64_t a = ((const struct range *)left)->begin;
  const uint64_t b = ((const struct range *)right)->begin;
  return a < b ? -1 : a > b;
}

static bool is_whole(const struct large *loop, int threads) {
  const int count = g_count;
  g_count = 0;
  if (count > kMostRanges) {
    TELL("%d threads: more than %d ranges", threads, kMostRanges);
    return false;
  }
  qsort(g_ranges, (size_t)count, sizeof g_ranges[0], by_begin);
  uint64_t end = 0;
  for (int i = 0; i < count; ++i) {
    const struct range range = g_ranges[i];
    if (range.begin != end || range.end <= range.begin) {
      TELL("%d threads, %#llx iterations: %#llx to %#llx follows %#llx", threads,
           (unsigned_long_long)loop->count, (unsigned_long_long)range.begin,
           (unsigned_long_long)range.end, (unsigned_long_long)end);
      return false;
    }
    end = range.end;
  }
  if (end == loop->count) return true;
  TELL("%d threads, %#llx iterations end at %#llx", threads, (unsigned_long_long)loop->count,
       (unsigned_long_long)end);
  return false;
}

/* Returns whether the runtime's flags were right. */

#ifdef __clang__

/* LLVM's and Intel's runtimes: both bounds belong to the range, and a flag marks the last range. */
typedef struct {
  int reserved_1, flags, reserved_2, reserved_3;
  const char *source;
} ident_t;
int __kmpc_global_thread_num(ident_t *here);
void __kmpc_barrier(ident_t *here, int thread);
void __kmpc_dispatch_init_8(ident_t *, int, int, int64_t, int64_t, int64_t, int64_t);
void __kmpc_dispatch_init_8u(ident_t *, int, int, uint64_t, uint64_t, int64_t, int64_t);
int __kmpc_dispatch_next_8(ident_t *, int, int *, int64_t *, int64_t *, int64_t *);
int __kmpc_dispatch_next_8u(ident_t *, int, int *, uint64_t *, uint64_t *, int64_t *);

enum { kRuntime = 37, kUntouched = 77 };

#define THROUGH(name, type, suffix)                                                                \
  static bool name(const struct large *loop) {                                                     \
    static ident_t here = {0, 2, 0, 0, ";loops_large.c;" #name ";1;1;;"};                          \
    const int thread = __kmpc_global_thread_num(&here);                                            \
    const int64_t step = (int64_t)(loop->is_up ? loop->step : 0 - loop->step);                     \
    const uint64_t end = loop->first + (loop->count - 1) * (uint64_t)step;                         \
    bool is_good = true;                                                                           \
    type low, high;                                                                                \
    int64_t stride;                                                                                \
    int last = kUntouched;                                                                         \
    __kmpc_dispatch_init_##suffix(&here, thread, kRuntime, (type)loop->first, (type)end, step, 1); \
    while (__kmpc_dispatch_next_##suffix(&here, thread, &last, &low, &high, &stride)) {            \
      const bool has_last = note(loop, (uint64_t)low, (uint64_t)high) == loop->count;              \
      if (has_last != (last != 0) || stride != step) is_good = false;                              \
      last = kUntouched;                                                                           \
    }                                                                                              \
    if (last != kUntouched || !is_good) TELL("wrong flag or stride: %d", last);                    \
    __kmpc_barrier(&here, thread);                                                                 \
    return is_good && last == kUntouched;                                                          \
  }

THROUGH(go_through_signed, int64_t, 8)
THROUGH(go_through_unsigned, uint64_t, 8u)

#else

/* GCC's runtime: the end does not belong to the range. */
bool GOMP_loop_maybe_nonmonotonic_runtime_start(long, long, long, long *, long *);
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long *, long *);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool, unsigned_long_long, unsigned_long_long,
                                                    unsigned_long_long, unsigned_long_long *,
                                                    unsigned_long_long *);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(unsigned_long_long *, unsigned_long_long *);
void GOMP_loop_end(void);

static bool go_through_signed(const struct large *loop) {
  const uint64_t step = loop->is_up ? loop->step : 0 - loop->step;
  const uint64_t end = loop->first + loop->count * step;
  long low, high;
  bool has_some = GOMP_loop_maybe_nonmonotonic_runtime_start((long)loop->first, (long)end,
                                                             (long)step, &low, &high);
  while (has_some) {
    note(loop, (uint64_t)low, loop->is_up ? (uint64_t)high - 1 : (uint64_t)high + 1);
    has_some = GOMP_loop_maybe_nonmonotonic_runtime_next(&low, &high);
  }
  GOMP_loop_end();
  return true;
}

static bool go_through_unsigned(const struct large *loop) {
  const uint64_t step = loop->is_up ? loop->step : 0 - loop->step;
  const uint64_t end = loop->first + loop->count * step;
  unsigned_long_long low, high;
  bool has_some = GOMP_loop_ull_maybe_nonmonotonic_runtime_start(loop->is_up, loop->first, end,
                                                                 step, &low, &high);
  while (has_some) {
    note(loop, low, loop->is_up ? high - 1 : high + 1);
    has_some = GOMP_loop_ull_maybe_nonmonotonic_runtime_next(&low, &high);
  }
  GOMP_loop_end();
  return true;
}

#endif

static bool all_right(bool (*go_through)(const struct large *), const struct large *loops) {
  bool is_good = true;
  for (const struct large *loop = loops; loop->step != 0; ++loop) {
    for (int threads = 1; threads <= kMostThreads; ++threads) {
#pragma omp parallel num_threads(threads) reduction(&& : is_good)
      is_good = go_through(loop);
      is_good = is_whole(loop, threads) && is_good;
    }
  }
  return is_good;
}

#define POWER(n) (UINT64_C(1) << (n))

static bool signed_is_right(void) {
  static const struct large kLoops[] = {
      {0, POWER(32), 1, true},
      {POWER(33), POWER(32) + 5, 1, false},
      {0 - POWER(40), POWER(40) + 3, 3, true},
      {0 - POWER(62), POWER(63) - 1000, 1, true},
      {POWER(62), POWER(63) - 1000, 1, false},
      {POWER(63) + 10, POWER(62), 1, true},
      {0, 0, 0, true},
  };
  return all_right(go_through_signed, kLoops);
}

static bool unsigned_is_right(void) {
  static const struct large kLoops[] = {
      {0, POWER(32) + 1, 1, true},    {POWER(63) - 7, POWER(32), 5, true},
      {0, POWER(63) - 1, 1, true},    {500, 0 - UINT64_C(1000), 1, true},
      {100, POWER(63) + 17, 1, true}, {0, 0, 0, true},
  };
  return all_right(go_through_unsigned, kLoops);
}

/* This check fails with the GCC entry points of LLVM 19's runtime. */
static bool unsigned_down_is_right(void) {
  static const struct large kLoops[] = {
      {0 - UINT64_C(1000), POWER(33) + 1, 7, false},
      {0 - UINT64_C(1000), POWER(63) + 17, 1, false},
      {0, 0, 0, false},
  };
  return all_right(go_through_unsigned, kLoops);
}

int main(int argc, char **argv) {
  static const struct check kChecks[] = {
      {"signed", signed_is_right},
      {"unsigned", unsigned_is_right},
      {"unsigned-down", unsigned_down_is_right},
      {NULL, NULL},
  };
  return run_checks(kChecks, argc, argv);
}
