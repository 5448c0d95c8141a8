// SPDX-License-Identifier: BSD-3-Clause
// A trial of several candidates, of which the first is the reference: whose turn it is, who is
// still in, and what has been measured. It starts nothing and has no clock: whoever runs the
// candidates asks next(), and says what came out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "trial/counts.hpp"

namespace nestbind::trial {

// Random orders that are the same for a seed everywhere: the standard says what this generator
// gives, and not what its own shuffle makes of it.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : numbers_(seed) {}

  // Every order is as probable (R. Durstenfeld, Algorithm 235, CACM 1964).
  void shuffle(std::vector<int>& words) {
    for (std::size_t left = words.size(); left > 1; --left) {
      std::swap(words[left - 1], words[below(left)]);
    }
  }

 private:
  // Each number below `end` is as probable: what would favour some of them is thrown again.
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
  double budget = 0;  // seconds for all runs but each candidate's first; 0: no limit
};

enum class State { kIn, kDropped, kFailed };

// One of the candidates. The values of a phase are in the order of its rounds.
struct Record {
  State state = State::kIn;
  std::vector<double> selection;
  std::vector<double> finals;
  double score = 0;    // of the selection: the lower the better; the living by their last stage
  double seconds = 0;  // of all its runs
  int runs = 0;
};

enum class Phase { kSelection, kFinal, kOver };

class Trial {
 public:
  // candidates: with the reference, which is number 0; at least 2.
  Trial(int candidates, const Rules& rules);

  // Whose turn it is; none: the trial is over. The same until take() or fail().
  std::optional<int> next() const;

  // What came out of next()'s run: a finite number, and how long it took.
  void take(double value, double seconds);
  // It did not end as the reference does: it is out. Of the reference: the trial is over, without a
  // verdict.
  void fail(double seconds);
  // The budget ended next()'s run: the trial is over, with what has been measured.
  void cut();

  // How long next()'s run may take by the budget; infinite without one, and for a first run.
  double seconds_allowed() const;
  const Rules& rules() const { return rules_; }
  const std::vector<Record>& records() const { return records_; }
  Phase phase() const { return phase_; }
  int round() const { return round_; }    // of this stage or of the final, from 0
  int rounds() const { return rounds_; }  // in this stage or in the final
  int runs_left() const;                  // at most
  int runs_done() const { return runs_done_; }
  double seconds_left() const;  // by what runs of the living have taken
  // The pairs that the final is to compare, fixed as it begins: a failure does not make it fewer.
  int planned_pairs() const { return planned_pairs_; }
  // Whether the final has run long enough to tell anything from chance.
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
  bool score_living();  // whether the scores are logarithms
  void drop_hopeless();
  Record& record(int candidate) { return records_[static_cast<std::size_t>(candidate)]; }
  double mean_seconds() const;

  Rules rules_;
  Dice dice_;
  std::vector<Record> records_;
  std::vector<int> turns_;  // of this round, the next one last
  Phase phase_ = Phase::kSelection;
  int round_ = 0;
  int rounds_ = 0;
  int planned_pairs_ = 0;
  int runs_done_ = 0;
  double seconds_ = 0;
  bool is_cut_ = false;  // by the budget
};

}  // namespace nestbind::trial
