/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns the number of threads of this process, from the kernel. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "show.h"

static inline int thread_id(void) { return (int)syscall(SYS_gettid); }

static inline long status_of(const char *name) {
  char line[256];
  long value = -1;
  FILE *file = fopen("/proc/self/status", "r");
  if (file == NULL) return -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), ": %ld", &value);
  }
  fclose(file);
  return value;
}

/* Waits until the process has at most `most` threads. Returns false after `seconds`. */
static inline bool threads_become(long most, int seconds) {
  for (int tries = 0; tries < 100 * seconds; ++tries) {
    if (status_of("Threads") <= most) return true;
    usleep(10000);
  }
  return false;
}

static inline int fork_teams(int outer, int inner) {
  int members = 0;
#pragma omp parallel num_threads(outer) reduction(+ : members)
#pragma omp parallel num_threads(inner) reduction(+ : members)
  members += 1;
  return members;
}
