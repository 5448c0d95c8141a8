/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions by which the programs print where they ran. Each thread prints a row:
 *
 *   @ LABEL PATH SIZES TID CPUS        @ round 0.1 4.2 4711 5
 *
 * PATH and SIZES come from the OpenMP runtime alone. Both begin with the outermost team, and are
 * "-" outside of regions. CPUS come from the kernel. If a file describes the machine, CPUS come
 * from the recorder. The C library may give another answer than the kernel. Tests compare all lines
 * except rows exactly. Define _GNU_SOURCE before you include this file. */
#ifndef SHOW_H
#define SHOW_H

#include <omp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "nestbind/nestbind.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Weak, so the programs also run without the library. */
#pragma weak nestbind_get_cpus
#pragma weak nestbind_get_place
#pragma weak omp_set_nesting_info
#pragma weak omp_get_nesting_info
#ifdef __cplusplus
}
#endif

enum { kShowLine = 16384, kShowCpus = 1024, kShowPatience = 10 };

/* Writes a line by one system call, so lines of different threads do not mix. */
static inline void say(const char *format, ...) {
  char line[kShowLine];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  if (length < 0 || length > (int)sizeof line - 2) abort();
  line[length++] = '\n';
  if (write(1, line, (size_t)length) != length) abort();
}

/* Returns the kernel's mask of a thread. 0 means the calling thread. */
static inline cpu_set_t show_mask_of(pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (syscall(SYS_sched_getaffinity, thread, sizeof set, &set) < 0) abort();
  return set;
}

/* Writes the calling thread's processors to `text`, as "0,1,2". */
static inline void show_cpus(char *text, size_t size) {
  int cpus[kShowCpus];
  int count = 0;
  if (getenv("NESTBIND_MACHINE") != NULL && nestbind_get_cpus != NULL) {
    count = nestbind_get_cpus(cpus, kShowCpus);
  } else {
    const cpu_set_t set = show_mask_of(0);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) cpus[count++] = cpu;
    }
  }
  size_t used = 0;
  for (int i = 0; i < count && i < kShowCpus && used < size; ++i) {
    used += (size_t)snprintf(text + used, size - used, i == 0 ? "%d" : ",%d", cpus[i]);
  }
  if (used == 0) snprintf(text, size, "?");
}

static inline void show_check_place(const char *label, int level) {
  struct nestbind_place place;
  if (nestbind_get_place == NULL || nestbind_get_place(&place) != NESTBIND_OK) return;
  int same = place.level == level;
  for (int i = 0; same && i < level && i < NESTBIND_MAX_LEVELS; ++i) {
    same = place.path[i] == omp_get_ancestor_thread_num(i + 1);
  }
  if (!same) say("%s: nestbind_get_place has another path", label);
}

static inline void show(const char *label) {
  char path[1024] = "-";
  char sizes[1024] = "-";
  char cpus[8192];
  size_t path_used = 0;
  size_t sizes_used = 0;
  int level = omp_get_level();
  for (int i = 1; i <= level; ++i) {
    const char *format = i == 1 ? "%d" : ".%d";
    path_used += (size_t)snprintf(path + path_used, sizeof path - path_used, format,
                                  omp_get_ancestor_thread_num(i));
    sizes_used += (size_t)snprintf(sizes + sizes_used, sizeof sizes - sizes_used, format,
                                   omp_get_team_size(i));
  }
  show_check_place(label, level);
  show_cpus(cpus, sizeof cpus);
  say("@ %s %s %s %ld %s", label, path, sizes, (long)syscall(SYS_gettid), cpus);
}

/* Waits until `count` threads have called, so each call is on a different thread. */
static inline void show_meet(int *arrived, int count) {
  __atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL);
  time_t begin = time(NULL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < count) {
    sched_yield();
    if (time(NULL) - begin > kShowPatience) {
      say("the threads do not meet");
      return;
    }
  }
}

#endif
