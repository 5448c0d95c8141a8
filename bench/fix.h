/* SPDX-License-Identifier: BSD-3-Clause */
/* The option --fix distributes an array that one thread has initialised. libnestbind must be
 * preloaded. */
#ifndef BENCH_FIX_H
#define BENCH_FIX_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The declarations are those of nestbind/memory.h. They are weak, because the benchmarks are not
 * linked with libnestbind. */
extern int nestbind_memory_spread(void *p, size_t bytes, int how) __attribute__((weak));
enum { kSpreadBlock = 1, kSpreadInterleave = 2 };

/* Distributes the array for the next team that the calling thread forks. `way` is "none", "block"
 * or "interleave". */
static inline void fix(const char *way, void *array, size_t bytes) {
  if (strcmp(way, "none") == 0) return;
  const int how = strcmp(way, "block") == 0        ? kSpreadBlock
                  : strcmp(way, "interleave") == 0 ? kSpreadInterleave
                                                   : 0;
  if (how == 0) {
    fprintf(stderr, "--fix: block, interleave or none, not %s\n", way);
    exit(2);
  }
  if (nestbind_memory_spread == NULL) {
    fprintf(stderr, "--fix=%s: libnestbind is not preloaded\n", way);
    exit(2);
  }
  const int error = nestbind_memory_spread(array, bytes, how);
  if (error != 0) {
    fprintf(stderr, "--fix=%s: nestbind_memory_spread returns the error %d\n", way, error);
    exit(2);
  }
}

#endif
