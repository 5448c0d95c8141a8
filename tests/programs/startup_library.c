/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with regions in its constructor and destructor. */
#define _GNU_SOURCE
#include "startup_library.h"

#include "show.h"

void startup_fork(const char *label) {
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    show(label);
  }
}

__attribute__((constructor)) static void loaded(void) { startup_fork("constructor"); }
__attribute__((destructor)) static void unloaded(void) { startup_fork("destructor"); }
