// SPDX-License-Identifier: BSD-3-Clause
#include "trial/counts.hpp"

#include <algorithm>
#include <cmath>

#include "trial/statistics.hpp"

namespace nestbind::trial {

namespace {

int rounds_that_fit(double seconds, double seconds_a_run, int finalists) {
  const double round = seconds_a_run * (finalists + 1);
  const double fit = round > 0 ? std::floor(seconds / round) : kMostFinalRounds;
  return static_cast<int>(std::clamp<double>(fit, 0, kMostFinalRounds));
}

}  // namespace

int pairs(int finalists) { return finalists * (finalists + 1) / 2; }

int fewest_final_rounds(int finalists) {
  return fewest_pairs(kLevel / std::max(1, pairs(finalists)));
}

int left_behind_stage(int living, int finalists) {
  return std::min(living, std::max(finalists, (living + 1) / 2));
}

int selection_runs(int candidates, const Counts& counts) {
  int sum = 0;
  for (int living = candidates; living > counts.finalists;
       living = left_behind_stage(living, counts.finalists)) {
    sum += counts.selection_rounds * (living + 1);
  }
  return sum;
}

int runs(int candidates, const Counts& counts) {
  return selection_runs(candidates, counts) +
         counts.final_rounds * (std::min(candidates, counts.finalists) + 1);
}

Counts counts_within(double budget, double seconds_a_run, int candidates) {
  Counts counts;
  for (;; --counts.finalists) {
    const double left = budget - seconds_a_run * selection_runs(candidates, counts);
    counts.final_rounds =
        final_rounds_within(left, seconds_a_run, std::min(counts.finalists, candidates));
    if (counts.finalists == 1 || seconds_a_run * runs(candidates, counts) <= budget) {
      return counts;
    }
  }
}

int final_rounds_within(double seconds, double seconds_a_run, int finalists) {
  return std::max(rounds_that_fit(seconds, seconds_a_run, finalists),
                  fewest_final_rounds(finalists));
}

}  // namespace nestbind::trial
