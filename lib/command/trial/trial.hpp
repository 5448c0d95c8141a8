// SPDX-License-Identifier: BSD-3-Clause
// A trial of several candidates; the first is the reference. It decides which candidate runs next
// and which candidates stay, and keeps the measurements. It starts nothing and has no clock: the
// caller asks next(), runs the candidate, and reports the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "trial/counts.hpp"

namespace nestbind::trial {

// The same seed always gives the same orders. With std::shuffle this would depend on the library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : numbers_(seed) {}

  // Each order is equally probable (R. Durstenfeld, Algorithm 235, CACM 1964).
  void shuffle(std::vector<int>& words) {
    for (std::size_t left = words.size(); left > 1; --left) {
      std::swap(words[left - 1], words[below(left)]);
    }
  }

 private:
  // Each number below `end` is equally probable: draws that would favour some numbers are repeated.
  std::size_t below(std::uint64_t end) {
    const std::uint64_t uneven = (0 - end) % end;  // 2^64 modulo end
    std::uint64_t number = numbers_();
    while (number < uneven) {
      number = numbers_();
    }
    return static_cast<std::size_t>(number % end);
  }

  std::mt19937_64 numbers_;
};

enum class Better { kLower, kHigher };

struct Rules {
  Better better = Better::kLower;
  Counts counts;
  std::uint64_t seed = 1;
  double budget = 0;  // seconds for all runs except each candidate's first; 0: no limit
};

enum class State { kIn, kDropped, kFailed };

// A candidate. The values of a phase are in the order of its rounds.
struct Record {
  State state = State::kIn;
  std::vector<double> selection;
  std::vector<double> finals;
  double score = 0;    // of the candidate's last stage of the selection; lower is better
  double seconds = 0;  // of all its runs
  int runs = 0;
};

enum class Phase { kSelection, kFinal, kOver };

class Trial {
 public:
  // candidates: at least 2, with the reference, which is number 0.
  Trial(int candidates, const Rules& rules);

  // The next candidate to run, or none if the trial is over. It changes only in take() and fail().
  std::optional<int> next() const;

  // Takes the result of next()'s run: a finite number, and the run's duration.
  void take(double value, double seconds);
  // next()'s run did not end as the reference does, so the candidate is out. If it was the
  // reference, the trial ends without a verdict.
  void fail(double seconds);
  // The budget ended next()'s run: the trial is over, with its measurements so far.
  void cut();

  // The budget's time for next()'s run; infinite without a budget, and for a first run.
  double seconds_allowed() const;
  const Rules& rules() const { return rules_; }
  const std::vector<Record>& records() const { return records_; }
  Phase phase() const { return phase_; }
  int round() const { return round_; }    // number in this stage or in the final, from 0
  int rounds() const { return rounds_; }  // in this stage or in the final
  int runs_left() const;                  // the largest possible number
  int runs_done() const { return runs_done_; }
  double seconds_left() const;  // estimated by the earlier runs
  // The pairs to compare, fixed when the final begins: a failure does not reduce them.
  int planned_pairs() const { return planned_pairs_; }
  // Whether the final has enough rounds to distinguish a difference from chance.
  bool is_complete() const;
  bool is_cut() const { return is_cut_; }

 private:
  std::vector<int> living() const;  // without the reference
  void begin_round();
  void end_round();
  void end_stage();
  void keep_best(int left);
  void begin_final();
  void advance(double seconds);
  bool score_living();  // returns whether the scores are logarithms
  void drop_hopeless();
  Record& record(int candidate) { return records_[static_cast<std::size_t>(candidate)]; }
  double mean_seconds() const;

  Rules rules_;
  Dice dice_;
  std::vector<Record> records_;
  std::vector<int> turns_;  // the rest of this round; the last candidate runs next
  Phase phase_ = Phase::kSelection;
  int round_ = 0;
  int rounds_ = 0;
  int planned_pairs_ = 0;
  int runs_done_ = 0;
  double seconds_ = 0;
  bool is_cut_ = false;  // by the budget
};

}  // namespace nestbind::trial
