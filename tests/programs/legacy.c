/* SPDX-License-Identifier: BSD-3-Clause */
/* legacy SIZE INNER [target]: the entry points of libgomp that GCC before 4.9 called. The program
 * calls *_start, then the outlined function, then GOMP_parallel_end. It also calls newer entry
 * points that current compilers do not use. With `target` it calls only GOMP_target, which libomp
 * does not have. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "show.h"

typedef void Body(void *);
void GOMP_parallel(Body *, void *, unsigned, unsigned);
void GOMP_parallel_start(Body *, void *, unsigned);
void GOMP_parallel_end(void);
void GOMP_parallel_loop_static_start(Body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(Body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(Body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(Body *, void *, unsigned, long, long, long);
void GOMP_parallel_sections_start(Body *, void *, unsigned, unsigned);
void GOMP_parallel_loop_static(Body *, void *, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_dynamic(Body *, void *, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_guided(Body *, void *, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_runtime(Body *, void *, unsigned, long, long, long, unsigned);
void GOMP_target(int, Body *, const void *, size_t, void **, size_t *, unsigned char *);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

typedef bool Next(long *, long *);

typedef struct {
  const char *label;
  Next *next; /* the entry point for a loop's next iterations, or null */
  bool sections;
  int size;
  int inner;
  int arrived;
} Work;

static void fork_inner(Work *work) {
#pragma omp parallel num_threads(work->inner)
  show(work->label);
}

static void body(void *data) {
  Work *work = data;
  if (work->next != NULL) {
    long from;
    long to;
    while (work->next(&from, &to)) {
      for (long i = from; i < to; ++i) {
        show_meet(&work->arrived, work->size);
        fork_inner(work);
      }
    }
    GOMP_loop_end_nowait();
  } else if (work->sections) {
    while (GOMP_sections_next() != 0) {
      show_meet(&work->arrived, work->size);
      fork_inner(work);
    }
    GOMP_sections_end_nowait();
  } else {
    fork_inner(work);
  }
}

static void started(int size, int inner) {
  unsigned threads = (unsigned)size;
  Work plain = {"start", NULL, false, size, inner, 0};
  GOMP_parallel_start(body, &plain, threads);
  body(&plain);
  GOMP_parallel_end();
  Work fixed = {"static-start", GOMP_loop_static_next, false, size, inner, 0};
  GOMP_parallel_loop_static_start(body, &fixed, threads, 0, size, 1, 1);
  body(&fixed);
  GOMP_parallel_end();
  Work dynamic = {"dynamic-start", GOMP_loop_dynamic_next, false, size, inner, 0};
  GOMP_parallel_loop_dynamic_start(body, &dynamic, threads, 0, size, 1, 1);
  body(&dynamic);
  GOMP_parallel_end();
  Work guided = {"guided-start", GOMP_loop_guided_next, false, size, inner, 0};
  GOMP_parallel_loop_guided_start(body, &guided, threads, 0, size, 1, 1);
  body(&guided);
  GOMP_parallel_end();
  Work runtime = {"runtime-start", GOMP_loop_runtime_next, false, size, inner, 0};
  GOMP_parallel_loop_runtime_start(body, &runtime, threads, 0, size, 1);
  body(&runtime);
  GOMP_parallel_end();
  Work sections = {"sections-start", NULL, true, size, inner, 0};
  GOMP_parallel_sections_start(body, &sections, threads, threads);
  body(&sections);
  GOMP_parallel_end();
}

static void combined(int size, int inner) {
  unsigned threads = (unsigned)size;
  Work plain = {"plain", NULL, false, size, inner, 0};
  GOMP_parallel(body, &plain, threads, 0);
  Work fixed = {"static", GOMP_loop_static_next, false, size, inner, 0};
  GOMP_parallel_loop_static(body, &fixed, threads, 0, size, 1, 1, 0);
  Work dynamic = {"dynamic", GOMP_loop_dynamic_next, false, size, inner, 0};
  GOMP_parallel_loop_dynamic(body, &dynamic, threads, 0, size, 1, 1, 0);
  Work guided = {"guided", GOMP_loop_guided_next, false, size, inner, 0};
  GOMP_parallel_loop_guided(body, &guided, threads, 0, size, 1, 1, 0);
  Work runtime = {"runtime", GOMP_loop_runtime_next, false, size, inner, 0};
  GOMP_parallel_loop_runtime(body, &runtime, threads, 0, size, 1, 0);
}

static void target_body(void *addresses) {
  Work *work = *(Work **)addresses;
#pragma omp parallel num_threads(work->size)
  body(work);
}

static void target(int size, int inner) {
  Work work = {"target", NULL, false, size, inner, 0};
  void *address = &work;
  size_t bytes = sizeof(Work);
  unsigned char kind = 0x83; /* map(tofrom:) */
  GOMP_target(-2, target_body, NULL, 1, &address, &bytes, &kind);
}

static void alone(int inner) {
  Work one = {"start-of-one", NULL, false, 1, inner, 0};
  GOMP_parallel_start(body, &one, 1);
  body(&one);
  GOMP_parallel_end();
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int size = atoi(argv[1]);
  int inner = atoi(argv[2]);
  if (argc > 3) {
    target(size, inner);
    return 0;
  }
  omp_set_schedule(omp_sched_dynamic, 1);
  started(size, inner);
  combined(size, inner);
  alone(inner);
  started(size, inner);
  return 0;
}
