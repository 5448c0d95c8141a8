/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores where a thread ran, and where it may run. Include this file after defining _GNU_SOURCE. */
#ifndef BENCH_PROCESSORS_SEEN_H
#define BENCH_PROCESSORS_SEEN_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kProcessors = 4096, kProcessorText = 256 };

/* The structure fills whole cache lines, because each thread writes its own structure. */
struct processors {
  _Alignas(64) unsigned char has[kProcessors];
};

/* The address is null if libnestbind is not preloaded. In a dry run this function returns the
 * planned processors. */
#pragma weak nestbind_get_cpus
int nestbind_get_cpus(int *cpus, int capacity);

static inline bool is_dry_run(void) {
  return getenv("NESTBIND_MACHINE") != NULL && nestbind_get_cpus != NULL;
}

static inline void note_processor(struct processors *seen) {
  const int cpu = sched_getcpu();
  if (cpu >= 0 && cpu < kProcessors) seen->has[cpu] = 1;
}

static inline void note_allowed(struct processors *allowed) {
  if (is_dry_run()) {
    int cpus[kProcessors];
    const int count = nestbind_get_cpus(cpus, kProcessors);
    for (int i = 0; i < count && i < kProcessors; ++i) {
      if (cpus[i] < kProcessors) allowed->has[cpus[i]] = 1;
    }
    return;
  }
  unsigned long mask[kProcessors / (8 * sizeof(unsigned long))] = {0};
  if (syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) < 0) return;
  for (int cpu = 0; cpu < kProcessors; ++cpu) {
    allowed->has[cpu] = CPU_ISSET_S((size_t)cpu, sizeof mask, (cpu_set_t *)mask) ? 1 : 0;
  }
}

/* Writes the processors as text, for example "0-3 8". */
static inline const char *print_processors(const struct processors *set,
                                           char text[kProcessorText]) {
  size_t length = 0;
  text[0] = '\0';
  for (int first = 0; first < kProcessors && length + 16 < kProcessorText; ++first) {
    if (!set->has[first]) continue;
    int last = first;
    while (last + 1 < kProcessors && set->has[last + 1]) ++last;
    const char *blank = length == 0 ? "" : " ";
    length += (size_t)(last == first
                           ? snprintf(text + length, kProcessorText - length, "%s%d", blank, first)
                           : snprintf(text + length, kProcessorText - length, "%s%d-%d", blank,
                                      first, last));
    first = last;
  }
  return text;
}

#endif
