/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of the kernel for a thread, which begin at zero in a new thread. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "property.h"

enum { kBurned = 100000000, kPages = 4096, kPage = 4096 };

static long processor_time(void) {
  struct timespec now = {0, 0};
  unseen(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void read_clock(char text[kText]) {
  snprintf(text, kText, processor_time() < kBurned / 2 ? "from nothing on" : "goes on");
}
static int burn(void) {
  while (processor_time() < kBurned) {
  }
  return 0;
}

static void read_faults(char text[kText]) {
  struct rusage usage = {.ru_minflt = 0};
  unseen(SYS_getrusage, RUSAGE_THREAD, &usage);
  snprintf(text, kText, usage.ru_minflt < kPages / 2 ? "from nothing on" : "goes on");
}
static int touch(void) {
  const size_t bytes = (size_t)kPages * kPage;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return failure(-1);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < bytes; at += kPage) memory[at] = 1;
  return failure(munmap(memory, bytes));
}

const struct property kCountedRows[] = {
    {"CLOCK_THREAD_CPUTIME_ID", burn, read_clock, NULL, NULL, kSleeps},
    {"RUSAGE_THREAD", touch, read_faults, NULL, NULL, 0},
    {.name = NULL},
};
