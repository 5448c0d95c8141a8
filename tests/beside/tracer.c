/* SPDX-License-Identifier: BSD-3-Clause */
/* A tracer like Extrae, Score-P, Darshan and XALT. It is preloaded, and interposes functions of
 * GCC's OpenMP runtime, pthread_create and fopen. At the end the tracer prints to standard error:
 *
 *   tracer: regions 60 members 120 threads yes files yes */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int g_regions, g_members, g_threads, g_files;

struct region {
  void (*function)(void *);
  void *data;
};

static void traced_member(void *data) {
  const struct region *region = data;
  ++g_members;
  region->function(region->data);
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags) {
  void (*next)(void (*)(void *), void *, unsigned, unsigned) = dlsym(RTLD_NEXT, "GOMP_parallel");
  struct region region = {function, data};
  ++g_regions;
  next(traced_member, &region, threads, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument) {
  int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      dlsym(RTLD_NEXT, "pthread_create");
  ++g_threads;
  return next(thread, attributes, function, argument);
}

FILE *fopen(const char *name, const char *mode) {
  FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
  ++g_files;
  return next(name, mode);
}

__attribute__((destructor)) static void tell(void) {
  if (g_regions > 0) {
    fprintf(stderr, "tracer: regions %d members %d threads %s files %s\n", g_regions, g_members,
            g_threads > 0 ? "yes" : "no", g_files > 0 ? "yes" : "no");
  }
}
