/* SPDX-License-Identifier: BSD-3-Clause */
/* handle WHO SIZE: sets the next team's size through the runtime's own handle, before any region.
 * If WHO is "initial", the initial thread sets the size. If WHO is "root", a new thread sets the
 * size and forks. If WHO is "root-later", the new thread does the same after the initial thread has
 * started the runtime. */
#define _GNU_SOURCE
#include <pthread.h>

#include "runtime_handle.h"
#include "show.h"

static int g_size;

static void *choose_and_fork(void *unused) {
  set_threads_by_handle(g_size);
  say("max %d", omp_get_max_threads());
#pragma omp parallel
  {
#pragma omp parallel
    show("-");
  }
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  g_size = atoi(argv[2]);
  if (strcmp(argv[1], "initial") == 0) {
    choose_and_fork(NULL);
  } else {
    pthread_t thread;
    if (strcmp(argv[1], "root-later") == 0) omp_set_dynamic(0);
    if (pthread_create(&thread, NULL, choose_and_fork, NULL) != 0) abort();
    pthread_join(thread, NULL);
  }
  return 0;
}
