/* SPDX-License-Identifier: BSD-3-Clause */
/* The program creates a thread.
 *
 *   stack KIB    The thread forks its first team on a stack of KIB kibibytes.
 *   inside       The thread sets a specification in a region, and asks for the next team's size.
 *   chosen       The thread chooses a size. Another root ends. The thread's size must be the same.
 *   told         The thread sets a size that omp_get_max_threads has returned. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

#include "show.h"

static pthread_barrier_t g_meet;

static int forked(void) {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

static void *fork_two(void *unused) {
  (void)unused;
#pragma omp parallel num_threads(2)
#pragma omp single
  say("team of %d", omp_get_num_threads());
  return NULL;
}

static void *be_root(void *unused) {
  fork_two(unused);
  pthread_barrier_wait(&g_meet);
  pthread_barrier_wait(&g_meet);
  return NULL;
}

static void run_thread(size_t stack) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, stack) != 0 ||
      pthread_create(&thread, &attributes, fork_two, NULL) != 0) {
    say("no thread");
    return;
  }
  pthread_join(thread, NULL);
}

static void change_inside(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    omp_set_nesting_info("2,scatter,3,subcompact");
    say("sizes %d", omp_get_max_threads());
    omp_set_nesting_info("auto");
    say("auto %d, %d levels", omp_get_max_threads(), omp_get_max_active_levels());
  }
}

static void choose(void) {
  pthread_t other;
  pthread_barrier_init(&g_meet, NULL, 2);
  pthread_create(&other, NULL, be_root, NULL);
  pthread_barrier_wait(&g_meet);
  (void)forked();
  omp_set_num_threads(1);
  pthread_barrier_wait(&g_meet);
  pthread_join(other, NULL);
  say("chosen 1, forked %d", forked());
}

static void set_what_it_was_told(void) {
  pthread_t other;
  pthread_barrier_init(&g_meet, NULL, 2);
  omp_set_num_threads(omp_get_max_threads());
  say("alone %d", forked());
  pthread_create(&other, NULL, be_root, NULL);
  pthread_barrier_wait(&g_meet);
  say("beside another %d", forked());
  pthread_barrier_wait(&g_meet);
  pthread_join(other, NULL);
}

int main(int argc, char **argv) {
  if (argc > 2) run_thread((size_t)atol(argv[2]) * 1024);
  if (strcmp(argv[1], "inside") == 0) change_inside();
  if (strcmp(argv[1], "chosen") == 0) choose();
  if (strcmp(argv[1], "told") == 0) set_what_it_was_told();
  return 0;
}
