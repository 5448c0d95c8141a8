/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_placement HOW USE PAGES SECONDS: one thread writes an array of 16 MiB. Then the program
 * calls the function HOW of nestbind/memory.h: none, block, interleave or replicate. Then a team
 * uses the array for SECONDS. Then the access counter counts two more passes. USE is:
 *
 *   parts    each thread reads and writes its part of a static loop (copies are only read)
 *   shared   each thread reads the whole array
 *   mixed    each of 16 threads reads the first half, and its own part of the second half
 *
 * In "mixed" every ninth access is to the thread's own part. The HOW "interleave-first" interleaves
 * only the first half of the array. PAGES is "small" or "huge". */
#define _GNU_SOURCE
#include <nestbind/memory.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "access-counter/marker.h"

#pragma weak nestbind_memory_spread
#pragma weak nestbind_memory_replicate
#pragma weak nestbind_memory_copy
#pragma weak nestbind_memory_where

enum { kBytes = 16 << 20, kHuge = 2 << 20, kNumbers = kBytes / 8, kNodes = 4, kPasses = 2 };

enum use { kParts, kShared, kMixed };

static struct nestbind_replicas *g_replicas;
static volatile uint64_t g_sink;

static int apply(const char *how, void *array) {
  if (strcmp(how, "block") == 0) return nestbind_memory_spread(array, kBytes, NESTBIND_BLOCK);
  if (strcmp(how, "interleave") == 0)
    return nestbind_memory_spread(array, kBytes, NESTBIND_INTERLEAVE);
  if (strcmp(how, "interleave-first") == 0)
    return nestbind_memory_spread(array, kBytes / 2, NESTBIND_INTERLEAVE);
  if (strcmp(how, "replicate") == 0) return nestbind_memory_replicate(array, kBytes, &g_replicas);
  return NESTBIND_OK;
}

static size_t own_numbers(void) { return kNumbers / 2 / (size_t)omp_get_num_threads(); }
static uint64_t *own_part(uint64_t *array) {
  return array + kNumbers / 2 + own_numbers() * (size_t)omp_get_thread_num();
}

static void pass_mixed(uint64_t *array) {
  uint64_t sum = 0;
  for (size_t i = 0; i < kNumbers / 2; i += 8) sum += ((const volatile uint64_t *)array)[i];
  volatile uint64_t *const own = own_part(array);
  for (size_t i = 0; i < own_numbers(); i += 8) own[i] = own[i] + sum;
}

static void pass(uint64_t *array, enum use how) {
  if (how == kMixed) {
    pass_mixed(array);
    return;
  }
  const int is_shared = how == kShared;
  const uint64_t *const numbers = g_replicas != NULL ? nestbind_memory_local(g_replicas) : array;
  const size_t self = (size_t)omp_get_thread_num();
  const size_t threads = (size_t)omp_get_num_threads();
  const size_t begin = is_shared ? 0 : kNumbers / threads * self;
  const size_t end = is_shared ? kNumbers : kNumbers / threads * (self + 1);
  uint64_t sum = 0;
  for (size_t i = begin; i < end; i += 8) sum += ((const volatile uint64_t *)numbers)[i];
  if (!is_shared && g_replicas == NULL) {
    for (size_t i = begin; i < end; i += 8) ((volatile uint64_t *)array)[i] = sum;
  }
  g_sink = sum;
}

static void use(uint64_t *array, enum use how, double seconds) {
#pragma omp parallel
  {
    const double until = omp_get_wtime() + seconds;
    do {
      pass(array, how);
    } while (omp_get_wtime() < until);
  }
}

/* Each thread registers its own part, because registering reads the pages, and automatic balancing
 * moves pages to their reader. */
static void count(uint64_t *array, enum use how) {
  if (how == kMixed) {
    access_counter_array(array, kBytes / 2);
#pragma omp parallel
#pragma omp critical
    access_counter_array(own_part(array), own_numbers() * sizeof *array);
  } else if (g_replicas == NULL) {
    access_counter_array(array, kBytes);
  } else {
#pragma omp parallel
#pragma omp critical
    if (omp_get_thread_num() % (omp_get_num_threads() / kNodes) == 0) {
      access_counter_array(nestbind_memory_local(g_replicas), kBytes);
    }
  }
  access_counter_start();
#pragma omp parallel
  for (int i = 0; i < kPasses; ++i) pass(array, how);
  access_counter_stop();
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const enum use how = strcmp(argv[2], "shared") == 0  ? kShared
                       : strcmp(argv[2], "mixed") == 0 ? kMixed
                                                       : kParts;
  void *const mapped =
      mmap(NULL, kBytes + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return 1;
  uint64_t *const array = (uint64_t *)(((uintptr_t)mapped + kHuge - 1) / kHuge * kHuge);
  madvise(mapped, kBytes + kHuge, strcmp(argv[3], "huge") == 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  memset(array, 1, how == kMixed ? kBytes / 2 : kBytes);
  if (how == kMixed) {
#pragma omp parallel
    memset(own_part(array), 1, own_numbers() * sizeof *array);
  }
  const int error = apply(argv[1], array);
  use(array, how, atof(argv[4]));
  count(array, how);
  size_t on[kNodes] = {0};
  if (nestbind_memory_where != NULL) {
    nestbind_memory_where(g_replicas != NULL ? nestbind_memory_local(g_replicas) : array, kBytes,
                          on, kNodes);
  }
  printf("%d", error);
  for (int i = 0; i < kNodes; ++i) printf(",%zu", on[i]);
  printf("\n");
  return 0;
}
