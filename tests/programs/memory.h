/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays for the checks of memory placement. The kernel says on which node a page is. */
#ifndef NESTBIND_TEST_MEMORY_H
#define NESTBIND_TEST_MEMORY_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "nestbind/memory.h"
#include "show.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Weak, because the library is preloaded and not linked. */
#pragma weak nestbind_memory_spread
#pragma weak nestbind_memory_replicate
#pragma weak nestbind_memory_copy
#pragma weak nestbind_memory_release
#pragma weak nestbind_memory_where
#ifdef __cplusplus
}
#endif

enum { kNodes = 64, kHuge = 2 << 20, kMemoryThreads = 4 };

static const size_t kSmall = 4096; /* bytes of a page of x86-64 */

/* A program may change the settings of a guest. */
static inline bool is_own_machine(void) { return getenv("MEMORY_OWN_MACHINE") != NULL; }

static inline long number_in(const char *name, long otherwise) {
  FILE *const file = fopen(name, "r");
  long number = otherwise;
  if (file != NULL) {
    if (fscanf(file, "%ld", &number) != 1) number = otherwise;
    fclose(file);
  }
  return number;
}

static inline bool set_number(const char *name, long number) {
  FILE *const file = fopen(name, "w");
  if (file == NULL) return false;
  const bool is_written = fprintf(file, "%ld\n", number) > 0;
  return fclose(file) == 0 && is_written;
}

static inline int nodes_of_machine(void) {
  int nodes = 0;
  char name[64];
  for (int i = 0; i < kNodes; ++i) {
    snprintf(name, sizeof name, "/sys/devices/system/node/node%d", i);
    nodes += access(name, F_OK) == 0;
  }
  return nodes == 0 ? 1 : nodes;
}

static inline int node_here(void) {
  unsigned cpu = 0;
  unsigned node = 0;
  return syscall(SYS_getcpu, &cpu, &node, NULL) == 0 ? (int)node : 0;
}

struct found {
  size_t on[kNodes];
  size_t all;
};

static inline struct found find_pages(const void *p, size_t bytes) {
  struct found found = {{0}, 0};
  const uintptr_t begin = (uintptr_t)p / kSmall * kSmall;
  for (uintptr_t at = begin; at < (uintptr_t)p + bytes; at += kSmall) {
    void *page = (void *)at;
    int node = -1;
    /* move_pages does not report the node of a page that waits for a NUMA hinting fault. */
    (void)*(volatile char *)page;
    if (syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0) != 0) abort();
    if (node >= 0 && node < kNodes) {
      ++found.on[node];
      ++found.all;
    }
  }
  return found;
}

/* Whether the standard deviation of the nodes' counts is above `percent` of their mean. */
static inline bool is_imbalanced(const struct found *found, int nodes, double percent) {
  const double mean = (double)found->all / nodes;
  double sum = 0;
  for (int i = 0; i < nodes; ++i)
    sum += ((double)found->on[i] - mean) * ((double)found->on[i] - mean);
  return nodes > 1 && sum / (nodes - 1) > percent * percent / 1e4 * mean * mean;
}

struct array {
  uint64_t *numbers;
  size_t count;
  void *mapped;
  size_t mapped_bytes;
};

static inline size_t bytes_of(const struct array *array) {
  return array->count * sizeof *array->numbers;
}

static inline void fill(const struct array *array) {
  for (size_t i = 0; i < array->count; ++i) array->numbers[i] = i * 2654435761U + 1;
}

static inline bool is_whole(const struct array *array) {
  for (size_t i = 0; i < array->count; ++i) {
    if (array->numbers[i] != i * 2654435761U + 1) return false;
  }
  return true;
}

static inline struct array new_array(size_t bytes, bool is_huge) {
  struct array array = {NULL, bytes / sizeof(uint64_t), NULL, bytes + kHuge};
  array.mapped =
      mmap(NULL, array.mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (array.mapped == MAP_FAILED) abort();
  array.numbers = (uint64_t *)(((uintptr_t)array.mapped + kHuge - 1) / kHuge * kHuge);
  madvise(array.mapped, array.mapped_bytes, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  return array;
}

static inline void drop(const struct array *array) { munmap(array->mapped, array->mapped_bytes); }

static inline bool has_huge_pages(const struct array *array) {
  FILE *const file = fopen("/proc/self/smaps", "r");
  char line[512];
  bool is_inside = false;
  size_t kibi = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    unsigned long begin = 0;
    unsigned long end = 0;
    unsigned long huge = 0;
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) {
      is_inside =
          begin < (uintptr_t)array->numbers + bytes_of(array) && end > (uintptr_t)array->numbers;
    } else if (is_inside && sscanf(line, "AnonHugePages: %lu kB", &huge) == 1) {
      kibi += huge;
    }
  }
  if (file != NULL) fclose(file);
  return kibi * 1024 >= bytes_of(array);
}

#endif
