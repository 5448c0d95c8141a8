/* SPDX-License-Identifier: BSD-3-Clause */
/* pending OUTER INNER: two threads cancel themselves, and then fork nested teams. They end at the
 * next cancellation point. */
#define _GNU_SOURCE
#include <pthread.h>

#include "show.h"

enum { kMost = 64, kRow = 512 };

static int g_outer;
static int g_inner;
static char g_rows[kMost][kRow];
static int g_count;

/* Stores a row for later, because write is a cancellation point. */
static void note(const char *label) {
  char cpus[kRow / 2];
  show_cpus(cpus, sizeof cpus);
  int row = __atomic_fetch_add(&g_count, 1, __ATOMIC_RELAXED);
  if (row >= kMost) abort();
  snprintf(g_rows[row], kRow, "@ %s %d.%d %d.%d %ld %s", label, omp_get_ancestor_thread_num(1),
           omp_get_thread_num(), omp_get_team_size(1), omp_get_num_threads(),
           (long)syscall(SYS_gettid), cpus);
}

static void nested(const char *label, int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    note(label);
  }
}

static void *fork_and_end(void *unused) {
  (void)unused;
  pthread_cancel(pthread_self());
  nested("first", g_outer, g_inner);
  nested("second", g_outer, g_inner);
  nested("narrow", g_outer, 1);
  pthread_testcancel();
  say("not cancelled");
  return NULL;
}

static void in_thread(void) {
  pthread_t thread;
  void *result = NULL;
  if (pthread_create(&thread, NULL, fork_and_end, NULL) != 0) abort();
  pthread_join(thread, &result);
  say(result == PTHREAD_CANCELED ? "cancelled" : "ended");
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  g_outer = atoi(argv[1]);
  g_inner = atoi(argv[2]);
  in_thread();
  in_thread();
  nested("after", g_outer, g_inner);
  for (int i = 0; i < g_count; ++i) say("%s", g_rows[i]);
  return 0;
}
