/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the constructs of nested_syncbench.c for the access counter, without a clock. Each construct
 * has two counted parts. The first part has no repetitions, and shows the cost of an empty part. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

#include "nested_constructs.h"
#include "timed_part.h"

enum {
  kDelay = 20,        /* a fixed number: no clock chooses the delay */
  kUncountedForks = 3 /* before a counted part, so that kept threads exist */
};

typedef void (*counter)(construct test, long repetitions);

static void count_inner(construct test, long repetitions) {
#pragma omp parallel
  {
    set_inner_size(&g_sizes);
    test(kUncountedForks);
#pragma omp barrier
#pragma omp master
    timed_part_begin();
#pragma omp barrier
    test(repetitions);
#pragma omp barrier
#pragma omp master
    timed_part_end();
  }
}

static void count_barrier(construct test, long repetitions) {
  (void)test;
  int arrived = 0;
#pragma omp parallel shared(arrived)
  {
    set_inner_size(&g_sizes);
    const bool is_first = omp_get_thread_num() == 0;
#pragma omp parallel shared(arrived)
    {
#pragma omp barrier
#pragma omp master
      {
        wait_for_all_primaries(&arrived, 1);
        if (is_first) timed_part_begin();
        wait_for_all_primaries(&arrived, 2);
      }
#pragma omp barrier
      for (long i = 0; i < repetitions; ++i) {
        delay(g_delay_length);
#pragma omp barrier
      }
#pragma omp master
      {
        wait_for_all_primaries(&arrived, 3);
        if (is_first) timed_part_end();
        wait_for_all_primaries(&arrived, 4);
      }
    }
  }
}

struct test {
  const char *name;
  counter count;
  construct construct;
};

static const struct test kTests[] = {{"parallel", count_inner, parallel},
                                     {"barrier", count_barrier, NULL},
                                     {"reduction", count_inner, reduction}};

static void count_and_print(const struct test *test, long repetitions) {
  test->count(test->construct, repetitions);
  printf("%s,%ld\n", test->name, repetitions);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fputs(
        "usage: nested_syncbench_count Y Z REPETITIONS\n"
        "  Y outer threads with inner teams of Z; so many repetitions for the access counter\n",
        stderr);
    return 2;
  }
  g_sizes.outer = (int)number_argument(argv[1], 1, "a number of outer threads");
  g_sizes.inner = (int)number_argument(argv[2], 1, "a size of the inner teams");
  g_sizes.set_by_program = !specification_sets_sizes();
  const long repetitions = number_argument(argv[3], 1, "repetitions");
  set_outer_size(&g_sizes);
  if (!sizes_are_right()) {
    fputs("nested_syncbench_count: the teams do not have the wanted sizes\n", stderr);
    return 1;
  }
  g_delay_length = kDelay;
  puts("construct,repetitions");
  for (size_t i = 0; i < sizeof kTests / sizeof kTests[0]; ++i) {
    count_and_print(&kTests[i], 0);
    count_and_print(&kTests[i], repetitions);
  }
  if (g_wrong) fputs("nested_syncbench_count: a reduction did not give the team's size\n", stderr);
  return g_wrong ? 1 : 0;
}
