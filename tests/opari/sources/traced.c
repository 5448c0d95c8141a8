/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested teams run a loop in ten rounds. */
#define _GNU_SOURCE
#include "../../programs/show.h"

int main(void) {
  for (int round = 0; round < 10; ++round) {
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel for num_threads(2) schedule(static, 1)
      for (int i = 0; i < 2; ++i) {
        if (round == 9) show("row");
      }
    }
  }
  return 0;
}
