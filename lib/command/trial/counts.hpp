// SPDX-License-Identifier: BSD-3-Clause
// The number of runs of a trial. All counts are fixed before the measurements that they are for.
#pragma once

namespace nestbind::trial {

// The probability that a whole trial reports a difference that does not exist is at most this.
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

// How many candidates stay after a stage of the selection: the better half, at least the finalists.
int left_behind_stage(int living, int finalists);

// The most runs of the selection among so many candidates. The reference is not counted, and runs
// in each round. 0: the candidates are few enough for the final.
int selection_runs(int candidates, const Counts& counts);

// The most runs of the whole trial.
int runs(int candidates, const Counts& counts);

// The counts for a budget in seconds. Takes as many finalists as leave time for the fewest final
// rounds, but at least one; then as many rounds as fit.
Counts counts_within(double budget, double seconds_a_run, int candidates);

// The number of final rounds after the selection, for the remaining seconds, these finalists and a
// mean run. At least as many as can show a difference between two.
int final_rounds_within(double seconds, double seconds_a_run, int finalists);

}  // namespace nestbind::trial
