/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions with one loop with schedule(runtime), whose iterations take different times. Checks that
 * each iteration runs once.
 *
 *   loop_shapes [--csv] SHAPE THREADS [REGIONS]
 *
 *   even      every iteration takes the same time
 *   ramp      the time of an iteration rises from 0.5 to 1.5 of the mean
 *   hot       the first eighth takes ten times as long
 *   moved     as "hot", but later the last eighth is slow
 *   alternating  one half takes four times as long; the slow half changes in each region
 *   cache     each thread's part of three arrays stays in the thread's cache
 *   hotcache  as "cache", but the first eighth of the arrays is computed ten times
 *   one       one iteration takes nearly all of the time
 *   tiny      a loop of some microseconds
 *   few       fewer iterations than threads
 *   none      no iteration
 *   many      a thousand different loops */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kIterations = 4096, kCacheIterations = 150000, kMostRegions = 100000, kManyLoops = 1000 };
/* A step is dependent arithmetic that takes about 1.2 ns at 3 GHz. */
enum { kRow = 250 }; /* elements, for "hotcache" */
enum { kEvenSteps = 128, kTinySteps = 8, kTinyIterations = 256, kOneSteps = 200000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static inline void work(long steps) {
  unsigned long state = (unsigned long)steps;
  for (long i = 0; i < steps; ++i) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    __asm__ volatile("" : "+r"(state));
  }
}

static unsigned char runs[kIterations]; /* how often each iteration has run, modulo 256 */
static double *a, *b, *c;               /* for "cache" */

static void even(int threads) {
  (void)threads;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kIterations; ++i) {
    work(kEvenSteps);
    ++runs[i];
  }
}

static void ramp(int threads) {
  (void)threads;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kIterations; ++i) {
    work(kEvenSteps / 2 + (long)kEvenSteps * i / kIterations);
    ++runs[i];
  }
}

static void hot(int threads) {
  (void)threads;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kIterations; ++i) {
    work(i < kIterations / 8 ? 10 * kEvenSteps : kEvenSteps);
    ++runs[i];
  }
}

static int is_moved;
static double imbalance; /* of the last region of "moved" */

static void moved(int threads) {
  const int hot_from = is_moved ? kIterations - kIterations / 8 : 0;
  long all = 0, most = 0;
#pragma omp parallel reduction(+ : all) reduction(max : most)
  {
    long mine = 0;
#pragma omp for schedule(runtime)
    for (int i = 0; i < kIterations; ++i) {
      const int is_hot = i >= hot_from && i < hot_from + kIterations / 8;
      const long steps = is_hot ? 10 * kEvenSteps : kEvenSteps;
      work(steps);
      mine += steps;
      ++runs[i];
    }
    all = most = mine;
  }
  imbalance = (double)most * threads / (double)all;
}

static void alternating(int threads) {
  static int region = 0;
  const int heavy = ++region % 2;
  (void)threads;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kIterations; ++i) {
    work(2 * i / kIterations == heavy ? 4 * kEvenSteps : kEvenSteps);
    ++runs[i];
  }
}

static void hotcache(int threads) {
  const long rows = (long)kCacheIterations / 3 / kRow * threads;
#pragma omp parallel for schedule(runtime)
  for (long row = 0; row < rows; ++row) {
    for (int time = 0; time < (row < rows / 8 ? 10 : 1); ++time) {
      for (long i = row * kRow; i < (row + 1) * kRow; ++i) a[i] = b[i] + 0.5 * c[i];
      __asm__ volatile("" ::: "memory");
    }
  }
}

static void cache(int threads) {
  const long count = (long)kCacheIterations / 3 * threads;
#pragma omp parallel for schedule(runtime)
  for (long i = 0; i < count; ++i) a[i] = b[i] + 0.5 * c[i];
}

static void one(int threads) {
  (void)threads;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kIterations; ++i) {
    if (i == kIterations / 3) work(kOneSteps);
    ++runs[i];
  }
}

static void tiny(int threads) {
  (void)threads;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kTinyIterations; ++i) {
    work(kTinySteps);
    ++runs[i];
  }
}

static void few(int threads) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < threads - 1; ++i) {
    work(kEvenSteps);
    ++runs[i];
  }
}

static void none(int threads) {
  (void)threads;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < runs[0]; ++i) ++runs[i];
}

#define LOOP                                                          \
  _Pragma("omp for schedule(runtime)") for (int i = 0; i < 16; ++i) { \
    work(kEvenSteps);                                                 \
    ++runs[i];                                                        \
  }
#define TEN(what) what what what what what what what what what what

__attribute__((noinline)) static void hundred(void){TEN(TEN(LOOP))}
#define HUNDRED(number) \
  __attribute__((noinline)) static void hundred##number(void) { TEN(TEN(LOOP)) }
HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5) HUNDRED(6) HUNDRED(7) HUNDRED(8) HUNDRED(9)

    static void many(int threads) {
  (void)threads;
#pragma omp parallel
  {
    hundred();
    hundred1();
    hundred2();
    hundred3();
    hundred4();
    hundred5();
    hundred6();
    hundred7();
    hundred8();
    hundred9();
  }
}

static const struct {
  const char *name;
  void (*run)(int threads);
  int iterations; /* iterations to check; -1 means one fewer than threads */
  int times;      /* how often each iteration runs in one region */
} shapes[] = {{"even", even, kIterations, 1},
              {"ramp", ramp, kIterations, 1},
              {"cache", cache, 0, 0},
              {"hot", hot, kIterations, 1},
              {"moved", moved, kIterations, 1},
              {"alternating", alternating, kIterations, 1},
              {"hotcache", hotcache, 0, 0},
              {"one", one, kIterations, 1},
              {"tiny", tiny, kTinyIterations, 1},
              {"few", few, -1, 1},
              {"none", none, 0, 0},
              {"many", many, 16, kManyLoops}};

static int ascending(const void *one_, const void *other) {
  const double x = *(const double *)one_, y = *(const double *)other;
  return (x > y) - (x < y);
}

static void prepare(int threads) {
  const long count = (long)kCacheIterations / 3 * threads;
  a = malloc((size_t)count * sizeof *a);
  b = malloc((size_t)count * sizeof *b);
  c = malloc((size_t)count * sizeof *c);
  if (!a || !b || !c) exit(3);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < count; ++i) {
    a[i] = 0;
    b[i] = (double)i;
    c[i] = 2;
  }
}

static int is_right(int shape, int threads, int regions) {
  if (shapes[shape].run == cache || shapes[shape].run == hotcache) {
    for (long i = 0; i < (long)kCacheIterations / 3 * threads; ++i) {
      if (a[i] != (double)i + 1) return 0;
    }
    return 1;
  }
  const int counted = shapes[shape].iterations < 0 ? threads - 1 : shapes[shape].iterations;
  for (int i = 0; i < kIterations; ++i) {
    const unsigned wanted = i < counted ? (unsigned)(regions * shapes[shape].times) : 0;
    if (runs[i] != (unsigned char)wanted) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  const int csv = argc > 1 && strcmp(argv[1], "--csv") == 0;
  const char *name = argc > csv + 1 ? argv[csv + 1] : "";
  const int threads = argc > csv + 2 ? atoi(argv[csv + 2]) : 0;
  const int regions = argc > csv + 3 ? atoi(argv[csv + 3]) : 300;
  int shape = (int)(sizeof shapes / sizeof *shapes) - 1;
  while (shape >= 0 && strcmp(shapes[shape].name, name) != 0) --shape;
  if (shape < 0 || threads < 1 || threads > kIterations || regions < 1 || regions > kMostRegions) {
    fprintf(stderr, "usage: %s [--csv] SHAPE THREADS [REGIONS]\nshapes:", argv[0]);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
      fprintf(stderr, " %s", shapes[i].name);
    fputs("\n", stderr);
    return 2;
  }
  omp_set_num_threads(threads);
  if (shapes[shape].run == cache || shapes[shape].run == hotcache) prepare(threads);
  static double times[kMostRegions];
  const int warm = regions / 10 + 1;
  static double imbalances[kMostRegions];
  for (int region = -warm; region < regions; ++region) {
    is_moved = region >= regions / 2;
    const double begin = now();
    shapes[shape].run(threads);
    if (region < 0) continue;
    times[region] = now() - begin;
    imbalances[region] = imbalance;
  }
  if (!is_right(shape, threads, warm + regions)) {
    fprintf(stderr, "%s: an iteration has not run exactly once\n", name);
    return 1;
  }
  const int half = regions / 2, last = half / 4 + 1; /* regions that count in each half */
  if (shapes[shape].run == moved && half > last) {
    double *const before = imbalances + half - last, *const after = imbalances + 2 * half - last;
    qsort(before, (size_t)last, sizeof *before, ascending);
    qsort(after, (size_t)last, sizeof *after, ascending);
    printf("largest work over the mean: %.3f, then %.3f\n", before[last / 2], after[last / 2]);
  }
  qsort(times, (size_t)regions, sizeof *times, ascending);
  printf(csv ? "shape,p10_us,median_us\n%s,%.3f,%.3f\n"
             : "%s: 10th percentile %.3f us, median %.3f us\n",
         name, times[regions / 10], times[regions / 2]);
  return 0;
}
