/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with regions of its own, loaded by loader.c, or called by a program that another
 * compiler made (mixed.c). work() tells the rows of a nested team; work_inner() forks one team, and
 * tells where its members are below the caller's number. */
#define _GNU_SOURCE
#include "work_library.h"

#include "show.h"

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

/* Members are told by their iterations: the functions of OpenMP may be another runtime's here. */
void work_inner(const char *label, int caller, int size) {
#pragma omp parallel for schedule(static, 1) num_threads(size)
  for (int number = 0; number < size; ++number) {
    char cpus[8192];
    show_cpus(cpus, sizeof cpus);
    say("@ %s %d.%d - %ld %s", label, caller, number, (long)syscall(SYS_gettid), cpus);
  }
}
