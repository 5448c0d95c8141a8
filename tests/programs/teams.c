/* SPDX-License-Identifier: BSD-3-Clause */
/* teams LEAGUE SIZE INNER [at-once]: members of a league on the host fork nested regions. The
 * league is not a level, so the regions in it are outermost regions. A nested region runs after the
 * league. Without `at-once` a nested region also runs before the league. */
#define _GNU_SOURCE
#include "show.h"

static void nested(const char *label, int size, int inner) {
#pragma omp parallel num_threads(size)
  {
#pragma omp parallel num_threads(inner)
    show(label);
  }
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int league = atoi(argv[1]);
  int size = atoi(argv[2]);
  int inner = atoi(argv[3]);
  if (argc == 4) nested("before", size, inner);
#pragma omp teams num_teams(league) thread_limit(64)
  {
    int team = omp_get_team_num();
    nested(team == 0 ? "first" : "other", size, inner);
  }
  nested("after", size, inner);
  return 0;
}
