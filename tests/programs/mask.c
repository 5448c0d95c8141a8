/* SPDX-License-Identifier: BSD-3-Clause */
/* mask LABEL: prints a row with the kernel's mask of this process, for children.c. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char line[16384];
  cpu_set_t set;
  CPU_ZERO(&set);
  if (argc != 2 || syscall(SYS_sched_getaffinity, 0, sizeof set, &set) < 0) return 2;
  size_t used = (size_t)snprintf(line, sizeof line, "@ %s - - %d ", argv[1], (int)getpid());
  const char *separator = "";
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &set)) continue;
    used += (size_t)snprintf(line + used, sizeof line - used, "%s%d", separator, cpu);
    separator = ",";
  }
  line[used++] = '\n';
  return write(1, line, used) == (ssize_t)used ? 0 : 1;
}
