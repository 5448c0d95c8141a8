// SPDX-License-Identifier: BSD-3-Clause
// The number of scans of this process's memory by the kernel's NUMA balancing.
#pragma once

#include <stdio.h>
#include <string.h>

// Returns -1 if the kernel has no NUMA balancing or no /proc/self/sched.
static long scans_so_far(void) {
  FILE* file = fopen("/proc/self/sched", "r");
  char line[256];
  long scans = -1;
  while (file != NULL && scans < 0 && fgets(line, sizeof line, file) != NULL) {
    if (strstr(line, "numa_scan_seq") != NULL) {
      sscanf(strchr(line, ':') == NULL ? "" : strchr(line, ':') + 1, "%ld", &scans);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return scans;
}
