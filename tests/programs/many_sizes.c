/* SPDX-License-Identifier: BSD-3-Clause */
/* Forks teams of all sizes up to 24 at two levels, with a loop in each, twice. The process's memory
 * must stop growing.
 *
 *     many_sizes            prints "bounded", or the memory's growth in MiB
 *     many_sizes print      also prints the growth after each hundred regions
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { kSizes = 24, kPairs = kSizes * kSizes };

/* Returns the process's memory in KiB, without the memory of files. */
static long memory(void) {
  FILE* file = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = -1;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "RssAnon: %ld", &kilobytes) == 1) {
      break;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return kilobytes;
}

static double region(int outer, int inner) {
  double sum = 0;
#pragma omp parallel num_threads(outer) reduction(+ : sum)
  {
    double own = 0;
#pragma omp parallel for schedule(runtime) num_threads(inner) reduction(+ : own)
    for (int i = 0; i < 64; ++i) {
      own += i;
    }
    sum += own;
  }
  return sum;
}

int main(int argc, char** argv) {
  const int print = argc > 1 && strcmp(argv[1], "print") == 0;
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  long half_way = 0;
  const long before = memory();
  for (int i = 0; i < 2 * kPairs; ++i) {
    const int pair = i * 127 % kPairs; /* 127 is prime, so all pairs come in each half */
    const int outer = 1 + pair / kSizes;
    if (region(outer, 1 + pair % kSizes) != outer * 2016.0) {
      puts("wrong");
    }
    if (i == kPairs) {
      half_way = memory();
    }
    if (print && i % 100 == 0) {
      printf("%d: %.1f MiB\n", i, (double)(memory() - before) / 1024);
    }
  }
  const long after = memory();
  const int is_small = after - before <= 30 << 10;
  const int is_flat = after - half_way <= 4 << 10;
  if (is_small && is_flat) {
    puts("bounded");
  } else {
    printf("%.1f MiB, %.1f of them in the second half\n", (double)(after - before) / 1024,
           (double)(after - half_way) / 1024);
  }
  return 0;
}
