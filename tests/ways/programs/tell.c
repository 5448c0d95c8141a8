/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a row for each member: LABEL OUTER.INNER CPUS. The processors come from a system call,
 * not from a function of the C library: another library could interpose that function. If
 * WAYS_REGION is "constructor" or "destructor", regions also run when the library is loaded or
 * unloaded. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void region(const char *label);

static long read_mask(void *mask, long size) {
  long result;
#ifdef __x86_64__
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_sched_getaffinity), "D"(0), "S"(size), "d"(mask)
                   : "rcx", "r11", "memory");
#else
  result = syscall(SYS_sched_getaffinity, 0, size, mask);
#endif
  return result;
}

void tell(const char *label, int outer, int inner) {
  char line[4096];
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  long length = snprintf(line, sizeof line, "%s %d.%d", label, outer, inner);
  char separator = ' ';
  for (int cpu = 0; read_mask(&cpus, sizeof cpus) > 0 && cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &cpus) && length < (long)sizeof line - 8) {
      length += snprintf(line + length, sizeof line - (size_t)length, "%c%d", separator, cpu);
      separator = ',';
    }
  }
  line[length++] = '\n';
  if (write(1, line, (size_t)length) != length) abort();
}

static int is_wanted(const char *when) {
  const char *wanted = getenv("WAYS_REGION");
  return wanted != NULL && strcmp(wanted, when) == 0;
}

#ifdef IN_LIBRARY
__attribute__((constructor)) static void loaded(void) {
  if (is_wanted("constructor")) region("region");
}
__attribute__((destructor)) static void unloaded(void) {
  if (is_wanted("destructor")) region("region");
}
#endif
