/* SPDX-License-Identifier: BSD-3-Clause */
/* many_masters N OUTER INNER: N threads, one after the other, own the plan and fork nested teams.
 * Prints the rows of every tenth thread. If the process's address space grows with N, prints the
 * growth. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

#include "show.h"

static int g_outer;
static int g_inner;

static void *master(void *label) {
#pragma omp parallel num_threads(g_outer)
  {
#pragma omp parallel num_threads(g_inner)
    if (label != NULL) show(label);
  }
  return NULL;
}

static long address_space_kib(void) {
  FILE *status = fopen("/proc/self/status", "r");
  if (status == NULL) abort();
  char line[256];
  long kib = -1;
  while (fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmSize: %ld", &kib) == 1) break;
  }
  fclose(status);
  return kib;
}

static void run(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    void *label = i % 10 == 0 ? (void *)"master" : NULL;
    if (pthread_create(&thread, NULL, master, label) != 0) abort();
    if (pthread_join(thread, NULL) != 0) abort();
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int count = atoi(argv[1]);
  g_outer = atoi(argv[2]);
  g_inner = atoi(argv[3]);
  run(count);
  long before = address_space_kib();
  run(count);
  long grown = address_space_kib() - before;
  /* A stack has 8 MiB. At 2 MiB for each thread, every fourth stack was not freed. */
  if (grown > 2048L * count) say("after %d masters: %ld KiB more", count, grown);
  return 0;
}
