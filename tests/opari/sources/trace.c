/* SPDX-License-Identifier: BSD-3-Clause */
/* A small tracing library with a few POMP and POMP2 entry points. At the end it prints how often
 * each entry point was called. It also prints how many calls were strange, for example with a
 * changed handle.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long g_forks, g_begins, g_ends, g_joins, g_loops, g_strange;
static char g_mine;

__attribute__((destructor)) static void tell(void) {
  printf("trace: forks %ld begins %ld ends %ld joins %ld loops %ld strange %ld\n", g_forks,
         g_begins, g_ends, g_joins, g_loops, g_strange);
}

static void add(long *counter) { __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }

void POMP2_Assign_handle(void **handle, const char *ctc) {
  *handle = &g_mine;
  if (strstr(ctc, "regionType=") == NULL) add(&g_strange);
}

void POMP2_Parallel_fork(void **handle, int condition, int threads, int64_t *old_task,
                         const char *ctc) {
  (void)condition;
  if (*handle == NULL) POMP2_Assign_handle(handle, ctc);
  if (threads < 1) add(&g_strange);
  *old_task = 4711;
  add(&g_forks);
}

void POMP2_Parallel_begin(void **handle) {
  if (*handle != &g_mine) add(&g_strange);
  add(&g_begins);
}

void POMP2_Parallel_end(void **handle) {
  if (*handle != &g_mine) add(&g_strange);
  add(&g_ends);
}

void POMP2_Parallel_join(void **handle, int64_t old_task) {
  if (*handle != &g_mine || old_task != 4711) add(&g_strange);
  add(&g_joins);
}

void POMP2_For_enter(void **handle, const char *ctc) {
  if (*handle == NULL) POMP2_Assign_handle(handle, ctc);
  add(&g_loops);
}

struct ompregdescr {
  char *name;
};

void pomp_parallel_fork(struct ompregdescr *region) {
  if (strncmp(region->name, "parallel", 8) != 0) add(&g_strange);
  add(&g_forks);
}

void pomp_parallel_begin(struct ompregdescr *region) {
  (void)region;
  add(&g_begins);
}

void pomp_parallel_end(struct ompregdescr *region) {
  (void)region;
  add(&g_ends);
}

void pomp_parallel_join(struct ompregdescr *region) {
  (void)region;
  add(&g_joins);
}

void pomp_for_enter(struct ompregdescr *region) {
  (void)region;
  add(&g_loops);
}
