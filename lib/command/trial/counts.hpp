// SPDX-License-Identifier: BSD-3-Clause
// The number of runs of a trial. All counts are fixed before the runs.
#pragma once

namespace nestbind::trial {

// The highest probability that a trial reports a difference that does not exist.
inline constexpr double kLevel = 0.01;

inline constexpr int kMostFinalRounds = 40;

struct Counts {
  int selection_rounds = 3;  // in each stage of the selection
  int finalists = 3;         // the most in the final, beside the reference
  int final_rounds = 15;
};

// The number of pairs among the finalists and the reference.
int pairs(int finalists);

// The fewest final rounds that can show a difference between two finalists.
int fewest_final_rounds(int finalists);

// How many candidates stay after a stage: half of them, rounded up, but at least `finalists`.
int left_behind_stage(int living, int finalists);

// The most runs of a selection, including the reference's run in each round. candidates: without
// the reference. 0: the candidates are few enough for the final.
int selection_runs(int candidates, const Counts& counts);

// The most runs of the whole trial.
int runs(int candidates, const Counts& counts);

// The counts for a budget in seconds. Takes the most finalists (at least one) that leave time for
// the fewest final rounds, and then the most rounds that fit.
Counts counts_within(double budget, double seconds_a_run, int candidates);

// The number of final rounds that fit into the remaining seconds, at least fewest_final_rounds().
// seconds_a_run: the mean of a run.
int final_rounds_within(double seconds, double seconds_a_run, int finalists);

}  // namespace nestbind::trial
