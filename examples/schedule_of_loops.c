/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets another schedule of loops for each phase.
 *
 *   gcc -O2 -fopenmp schedule_of_loops.c $(pkg-config --cflags --libs nestbind) \
 *       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o schedule_of_loops
 *
 * With NESTBIND_REPORT=text a report at the end shows how the loop was shared.
 */
#include <nestbind/nestbind.h>
#include <stdio.h>

enum { kRows = 2000 };
static double total[kRows];

/* Each row takes more time than the row before. */
static void triangle(const char *schedule) {
  const int error = nestbind_set_schedule(schedule);
  if (error != NESTBIND_OK) {
    fprintf(stderr, "%s: %s\n", schedule, nestbind_strerror(error));
  }
#pragma omp parallel for schedule(runtime)
  for (int row = 0; row < kRows; ++row) {
    total[row] = 0;
    for (int column = 0; column <= row; ++column) {
      total[row] += 1.0 / (row + column + 1);
    }
  }
}

int main(void) {
  triangle("hybrid");
  /* The rows differ so much that only a small part of the loop can be static. */
  triangle("hybrid,f=0.25,chunk=8");
  char text[40];
  nestbind_get_schedule(text, sizeof text);
  double sum = 0;
  for (int row = 0; row < kRows; ++row) {
    sum += total[row];
  }
  printf("with %s: %.3e\n", text, sum);
  return 0;
}
