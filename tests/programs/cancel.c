/* SPDX-License-Identifier: BSD-3-Clause */
/* cancel OUTER INNER: cancels regions at both levels, between regions that are not cancelled. */
#define _GNU_SOURCE
#include "show.h"

static void nested(const char *label, int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    show(label);
  }
}

static void cancelled_inside(int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
      if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
      }
#pragma omp cancellation point parallel
    }
#pragma omp parallel num_threads(inner)
    show("behind-cancelled");
  }
}

static void cancelled_outside(int outer) {
#pragma omp parallel num_threads(outer)
  {
    if (omp_get_thread_num() == outer - 1) {
#pragma omp cancel parallel
    }
#pragma omp cancellation point parallel
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  if (!omp_get_cancellation()) say("OMP_CANCELLATION is not set");
  for (int round = 0; round < 5; ++round) {
    nested("before", outer, inner);
    cancelled_outside(outer);
    cancelled_inside(outer, inner);
    nested("after", outer, inner);
  }
  return 0;
}
