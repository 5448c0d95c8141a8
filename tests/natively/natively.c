// SPDX-License-Identifier: BSD-3-Clause
// Forks nested teams whose sizes and binding the environment sets. Prints a line for each innermost
// thread: its path, its place number, and the processors of its mask, for example "0.1 5 0,8".
//
//     natively LEVELS [reverse|again]
//
// reverse: the inner teams are forked in turn, first the team of the thread with the highest
// number. again: each thread forks its inner team twice, and only the second team is printed.
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostLevels = 7, kLine = 16384 };

static int levels;
static int is_reverse;
static int is_again;

static void tell(void) {
  char line[kLine];
  int length = 0;
  for (int level = 1; level <= levels; ++level) {
    length += snprintf(line + length, sizeof line - (size_t)length, "%s%d", level > 1 ? "." : "",
                       omp_get_ancestor_thread_num(level));
  }
  length += snprintf(line + length, sizeof line - (size_t)length, " %d ", omp_get_place_num());
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  const char* separator = "";
  for (int cpu = 0; cpu < CPU_SETSIZE && length < kLine - 16; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) {
      length += snprintf(line + length, sizeof line - (size_t)length, "%s%d", separator, cpu);
      separator = ",";
    }
  }
  line[length++] = '\n';
#pragma omp critical
  fwrite(line, 1, (size_t)length, stdout);
}

static void fork_at(int level, int is_last) {
  int turn = -1;  // only with `reverse`: number of the thread that may now fork
#pragma omp parallel shared(turn)
  {
    const int number = omp_get_thread_num();
    if (level == levels) {
      if (is_last) {
        tell();
      }
#pragma omp barrier
    } else if (is_reverse) {
#pragma omp single
      __atomic_store_n(&turn, omp_get_num_threads() - 1, __ATOMIC_RELEASE);
      while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != number) {
        sched_yield();
      }
      fork_at(level + 1, is_last);
      __atomic_store_n(&turn, number - 1, __ATOMIC_RELEASE);
    } else {
      for (int time = is_again ? 0 : 1; time < 2; ++time) {
        fork_at(level + 1, is_last && time == 1);
      }
    }
  }
}

int main(int argc, char** argv) {
  levels = argc > 1 ? atoi(argv[1]) : 1;
  if (levels < 1 || levels > kMostLevels) {
    return 2;
  }
  is_reverse = argc > 2 && strcmp(argv[2], "reverse") == 0;
  is_again = argc > 2 && strcmp(argv[2], "again") == 0;
  fork_at(1, 1);
  return 0;
}
