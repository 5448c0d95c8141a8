// SPDX-License-Identifier: BSD-3-Clause
// How many runs a trial takes; all of it is settled before what it is for.
#pragma once

namespace nestbind::trial {

// A difference that is none is told with at most this probability, in a whole trial.
inline constexpr double kLevel = 0.01;

inline constexpr int kMostFinalRounds = 40;

struct Counts {
  int selection_rounds = 3;  // in each stage of the selection
  int finalists = 3;         // that are left for the final at most, beside the reference
  int final_rounds = 15;
};

// Two of so many finalists and the reference.
int pairs(int finalists);

// How many final rounds it takes so that two of the finalists can be told apart at all.
int fewest_final_rounds(int finalists);

// How many of so many are left behind a stage of the selection: the better half, but no fewer than
// the finalists.
int left_behind_stage(int living, int finalists);

// How many runs the selection among so many (without the reference, which runs in each round) takes
// at most; none where they are few enough for the final.
int selection_runs(int candidates, const Counts& counts);

// All runs at most.
int runs(int candidates, const Counts& counts);

// The counts for a budget of seconds, if a run takes so many: as many finalists as leave room for
// the fewest final rounds, or one; then as many rounds as fit.
Counts counts_within(double budget, double seconds_a_run, int candidates);

// The final's rounds, once the selection is over, for the seconds that are left: of these finalists
// and a mean run. At least as many as can show a difference between two.
int final_rounds_within(double seconds, double seconds_a_run, int finalists);

}  // namespace nestbind::trial
