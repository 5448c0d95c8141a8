// SPDX-License-Identifier: BSD-3-Clause
// The number of runs of a trial. All counts are fixed before the runs.
#pragma once

namespace nestbind::trial {

// The highest probability that a trial reports a difference that does not exist.
inline constexpr double kLevel = 0.01;

inline constexpr int kMostFinalRounds = 40;

struct Counts {
  int selection_rounds = 3;  // in each stage of the selection
  int finalists = 3;         // the reference is an extra finalist
  int final_rounds = 15;
};

int pairs(int finalists);

int fewest_final_rounds(int finalists);

// Returns how many candidates stay after a stage: half, rounded up, but at least `finalists`.
int left_behind_stage(int living, int finalists);

// A selection may have fewer runs if candidates are dropped early. The reference runs in each
// round, but `candidates` does not include the reference.
int selection_runs(int candidates, const Counts& counts);

int runs(int candidates, const Counts& counts);

// Returns counts that fit into the budget, if possible. More finalists are preferred to more
// rounds.
Counts counts_within(double budget, double seconds_a_run, int candidates);

// Returns the number of final rounds that fit into the remaining seconds, at least
// fewest_final_rounds(). seconds_a_run: the mean time of a run.
int final_rounds_within(double seconds, double seconds_a_run, int finalists);

}  // namespace nestbind::trial
