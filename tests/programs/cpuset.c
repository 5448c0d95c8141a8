/* SPDX-License-Identifier: BSD-3-Clause */
/* cpuset LIST...: prints the number of processors before and after a team of two. Then each LIST
 * limits the program's cgroup for more than a second. The cgroup must be of version 2 and
 * writable. */
#define _GNU_SOURCE
#include <string.h>

#include "show.h"

enum { kPath = 4096 };

static void tell(const char *when) {
  cpu_set_t told;
  if (sched_getaffinity(0, sizeof told, &told) != 0) abort();
  say("%s: procs %d told %d", when, omp_get_num_procs(), CPU_COUNT(&told));
}

static void set_cpuset(const char *list) {
  char group[kPath] = "";
  char path[2 * kPath];
  FILE *file = fopen("/proc/self/cgroup", "r");
  if (file == NULL || fscanf(file, "0::%4095s", group) != 1 || fclose(file) != 0) abort();
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpuset.cpus", group);
  file = fopen(path, "w");
  if (file == NULL || fputs(list, file) < 0 || fclose(file) != 0) say("%s cannot be set", path);
}

int main(int argc, char **argv) {
  tell("before");
#pragma omp parallel num_threads(2)
  omp_get_thread_num();
  tell("after");
  for (int i = 1; i < argc; ++i) {
    set_cpuset(argv[i]);
    usleep(1100000);
    tell(argv[i]);
  }
  return 0;
}
