// SPDX-License-Identifier: BSD-3-Clause
// The number of runs of a trial. All counts are fixed before the runs.
#pragma once

namespace nestbind::trial {

// The highest probability that a trial reports a difference that does not exist.
inline constexpr double kLevel = 0.01;

inline constexpr int kMostFinalRounds = 40;

struct Counts {
  int selection_rounds = 3;  // in each stage of the selection
  int finalists = 3;         // limit of candidates in the final, without the reference
  int final_rounds = 15;
};

// Returns the number of pairs among the finalists and the reference.
int pairs(int finalists);

// Returns the fewest final rounds that can show a difference between two finalists.
int fewest_final_rounds(int finalists);

// Returns how many candidates stay after a stage: half, rounded up, but at least `finalists`.
int left_behind_stage(int living, int finalists);

// Returns the highest number of runs of a selection, with the reference's run in each round.
// candidates: without the reference. Returns 0 if the candidates are few enough for the final.
int selection_runs(int candidates, const Counts& counts);

// Returns the highest number of runs of the whole trial.
int runs(int candidates, const Counts& counts);

// Returns the counts for a budget in seconds. Chooses the most finalists (at least one) for which
// there is time for the fewest final rounds, and then the most rounds.
Counts counts_within(double budget, double seconds_a_run, int candidates);

// Returns the number of final rounds that fit into the remaining seconds, at least
// fewest_final_rounds(). seconds_a_run: the mean time of a run.
int final_rounds_within(double seconds, double seconds_a_run, int finalists);

}  // namespace nestbind::trial
