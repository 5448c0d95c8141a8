/* SPDX-License-Identifier: BSD-3-Clause */
/* loops_target [CHECK]...: loops with target constructs, which run on the host. */
#define _GNU_SOURCE
#include "loops.h"

enum { kOuter = 60, kInner = 6, kRounds = 20 };

/* The surrounding team has `threads` members. The teams in the construct have `inner` members. */
static bool league_is_right(int threads, int inner) {
  static struct counts counts;
  int runs = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < kOuter; ++i) {
      count_iteration(&counts, (uint64_t)i);
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(inner) \
    schedule(runtime) map(tofrom : runs)
      for (int j = 0; j < kInner; ++j) {
#pragma omp atomic
        ++runs;
      }
    }
  }
  const bool is_good = each_once(&counts, kOuter, "around leagues");
  if (runs != kOuter * kInner) TELL("iterations of leagues: %d", runs);
  return is_good && runs == kOuter * kInner;
}

static bool region_is_right(int threads, int inner) {
  static struct counts counts;
  int runs = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < kOuter; ++i) {
      count_iteration(&counts, (uint64_t)i);
#pragma omp target parallel for num_threads(inner) schedule(runtime) map(tofrom : runs)
      for (int j = 0; j < kInner; ++j) {
#pragma omp atomic
        ++runs;
      }
    }
  }
  const bool is_good = each_once(&counts, kOuter, "around regions");
  if (runs != kOuter * kInner) TELL("iterations of regions: %d", runs);
  return is_good && runs == kOuter * kInner;
}

static bool rounds_are_right(bool is_right(int threads, int inner)) {
  bool is_good = true;
  for (int round = 0; round < kRounds; ++round) {
    is_good = is_right(2 + round % 3, 2) && is_good;
  }
  return is_good;
}

static bool leagues_are_right(void) { return rounds_are_right(league_is_right); }
static bool regions_are_right(void) { return rounds_are_right(region_is_right); }

int main(int argc, char **argv) {
  static const struct check kChecks[] = {
      {"leagues", leagues_are_right},
      {"regions", regions_are_right},
      {NULL, NULL},
  };
  omp_set_max_active_levels(2);
  return run_checks(kChecks, argc, argv);
}
