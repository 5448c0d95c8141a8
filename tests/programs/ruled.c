/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules name these regions by lines or by functions. Some regions are inside of another region.
 * Rules use the files and lines of the #line directives. */
#define _GNU_SOURCE
#include "show.h"

__attribute__((noinline)) static void shared(const char *label) {
#pragma omp parallel
  show(label);
}

/* Both functions call the same region. */
__attribute__((noinline)) static void one_place(void) { shared("one"); }
__attribute__((noinline)) static void other_place(void) { shared("other"); }

__attribute__((noinline)) static void several(void) {
#line 100 "ruled_lines.c"
#pragma omp parallel
  show("line");
#line 200 "ruled_lines.c"
#pragma omp parallel
  show("untold");
#line 300 "ruled_lines.c"
#pragma omp parallel
  {
#pragma omp parallel
    show("nested");
  }
}

int main(void) {
  for (int round = 0; round < 2; ++round) {
    several();
    one_place();
    other_place();
  }
  return 0;
}
