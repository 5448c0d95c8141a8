/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that forks teams.
 *
 * WORK_IN_CONSTRUCTOR says what the library's constructor does. With "ask" it asks for the size of
 * teams. With "region" it forks a team. The members call functions that nestbind interposes. With
 * "nested" it forks nested teams twice. */
#define _GNU_SOURCE
#include "work_library.h"

#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

#include "show.h"

static void call_what_is_interposed(void) {
  omp_set_num_threads(omp_get_max_threads());
  pthread_setname_np(pthread_self(), "worker");
  prctl(PR_SET_NAME, "worker", 0, 0, 0);
  if (system("true") != 0) say("system does not work");
}

__attribute__((constructor)) static void begin(void) {
  const char *what = getenv("WORK_IN_CONSTRUCTOR");
  if (what != NULL && strcmp(what, "ask") == 0) omp_get_max_threads();
  if (what != NULL && strcmp(what, "nested") == 0) {
    work("constructor", 2, 2);
    work("constructor", 2, 2);
  }
  if (what == NULL || strcmp(what, "region") != 0) return;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) call_what_is_interposed();
}

void work(const char *label, int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    show(label);
  }
}

void work_defaults(const char *label) {
  say("%s max %d", label, omp_get_max_threads());
#pragma omp parallel
  {
#pragma omp parallel
    show(label);
  }
}

/* omp_get_thread_num may be a function of another runtime here. */
void work_inner(const char *label, int caller, int size) {
#pragma omp parallel for schedule(static, 1) num_threads(size)
  for (int number = 0; number < size; ++number) {
    char cpus[8192];
    show_cpus(cpus, sizeof cpus);
    say("@ %s %d.%d - %ld %s", label, caller, number, (long)syscall(SYS_gettid), cpus);
  }
}
