/* SPDX-License-Identifier: BSD-3-Clause */
/* The remedy for an array that one thread has initialised is a function of nestbind/memory.h. A
 * program calls this function with the option --fix. libnestbind must be preloaded. */
#ifndef BENCH_FIX_H
#define BENCH_FIX_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The declarations are those of nestbind/memory.h. The benchmarks are compiled without the headers
 * of libnestbind, and are not linked with libnestbind. */
extern int nestbind_memory_spread(void *p, size_t bytes, int how) __attribute__((weak));
enum { kSpreadBlock = 1, kSpreadInterleave = 2 };

/* Distributes the array for the next team that the calling thread forks. `way` is "none", "block"
 * or "interleave". If `way` is another text, prints a message and ends the program with status 2.
 * Does the same if the library is not preloaded or returns an error. */
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
