// SPDX-License-Identifier: BSD-3-Clause
// A trial of several candidates, of which the first is the reference. The trial starts nothing and
// has no clock. The caller calls next(), runs the candidate, and reports the result. First come the
// median and spread of measured numbers, differences between two lists of numbers, and tests
// whether differences are more than chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace nestbind::trial {

// Quartiles by linear interpolation (the default of R and numpy, type 7 of Hyndman and Fan, 1996).
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};

// values: at least one.
Spread spread(std::vector<double> values);
double median(std::vector<double> values);

// If `is_ratio` is true, returns the logarithm. Differences of logarithms do not depend on the
// machine's speed. Logarithms need positive numbers. If `is_ratio` is false, returns the number.
double scaled(double value, bool is_ratio);

bool are_ratios(const std::vector<double>& values);

// Returns the scaled differences a - b, round by round.
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b);

// Wilcoxon's signed-rank test of pairs, with its exact distribution.
// F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945).
struct SignedRank {
  double p = 1;       // two-sided, 0 to 1
  int direction = 0;  // -1 if the differences tend to be negative, 1 if positive
};

// differences: finite numbers, at most some hundreds, because the time grows with the cube of their
// number. Differences of 0 are left out. Equal differences share their mean rank. The distribution
// is exact: all signs of these differences are equally probable, and each sum of ranks is counted.
// Without pairs p is 1.
SignedRank signed_rank(const std::vector<double>& differences);

// Returns the smallest number of pairs for which p can be at most `level`. The smallest p is 2 /
// 2^pairs. level: above 0.
int fewest_pairs(double level);

// Adjusts the p values of several tests by S. Holm, "A simple sequentially rejective multiple test
// procedure", Scandinavian Journal of Statistics 6 (1979). If results with an adjusted p below a
// level are accepted, the probability of any wrong result is at most this level. The tests may
// depend on each other. planned: the number of planned tests; there may be fewer values.
std::vector<double> holm(const std::vector<double>& values, std::size_t planned);

// The number of runs of a trial. All counts are fixed before the runs.

// The highest probability that a trial reports a difference that does not exist.
inline constexpr double kLevel = 0.01;

struct Counts {
  int selection_rounds = 3;  // in each stage of the selection
  int finalists = 3;         // the reference is an extra finalist
  int final_rounds = 15;
};

int pairs(int finalists);

int fewest_final_rounds(int finalists);

// A selection may have fewer runs if candidates are dropped early. The reference runs in each
// round, but `candidates` does not include the reference.
int selection_runs(int candidates, const Counts& counts);

int runs(int candidates, const Counts& counts);

// Returns counts that fit into the budget, if possible. More finalists are preferred to more
// rounds.
Counts counts_within(double budget, double seconds_a_run, int candidates);

// The same seed always gives the same orders. The orders of std::shuffle depend on the library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : numbers_(seed) {}

  // Shuffles; each order is equally probable (R. Durstenfeld, Algorithm 235, CACM 1964).
  void shuffle(std::vector<int>& words) {
    for (std::size_t left = words.size(); left > 1; --left) {
      std::swap(words[left - 1], words[below(left)]);
    }
  }

 private:
  // All numbers are equally probable: biased draws are repeated.
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
  double budget = 0;  // seconds for all runs except each candidate's first; 0 for no limit
};

enum class State { kIn, kDropped, kFailed };

struct Record {
  State state = State::kIn;
  std::vector<double> selection;
  std::vector<double> finals;
  double score = 0;  // in the candidate's last stage of the selection; lower is better
  double seconds = 0;
  int runs = 0;
};

enum class Phase { kSelection, kFinal, kOver };

class Trial {
 public:
  // Candidate 0 is the reference. There are at least two candidates.
  Trial(int candidates, const Rules& rules);

  // Returns the next candidate to run, or none at the end. Only take(), fail() and cut()
  // change the answer.
  std::optional<int> next() const;

  // Stores the result of the run that next() named: a finite number, and the run's duration.
  void take(double value, double seconds);
  // Reports that this run did not end like the reference's runs, so the candidate is dropped. If
  // the candidate is the reference, the trial ends without a verdict.
  void fail(double seconds);
  // Ends the trial. The caller has stopped the run because the budget is used up.
  void cut();

  // The first run of each candidate has no limit.
  double seconds_allowed() const;
  const Rules& rules() const { return rules_; }
  const std::vector<Record>& records() const { return records_; }
  Phase phase() const { return phase_; }
  int round() const { return round_; }
  int rounds() const { return rounds_; }
  int runs_left() const;
  int runs_done() const { return runs_done_; }
  double seconds_left() const;  // estimated from the earlier runs
  int planned_pairs() const { return planned_pairs_; }
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
  bool score_living();
  void drop_hopeless();
  Record& record(int candidate) { return records_[static_cast<std::size_t>(candidate)]; }
  double mean_seconds() const;

  Rules rules_;
  Dice dice_;
  std::vector<Record> records_;
  std::vector<int> turns_;
  Phase phase_ = Phase::kSelection;
  int round_ = 0;
  int rounds_ = 0;
  int planned_pairs_ = 0;
  int runs_done_ = 0;
  double seconds_ = 0;
  bool is_cut_ = false;
};

// The result of a trial: the order of the candidates, and the significant differences.

// Two candidates that ran in the final rounds.
struct Comparison {
  int better = 0;  // the candidate that the test favours
  int worse = 0;
  double p = 1;         // by Wilcoxon's signed-rank test, two-sided, exact
  double adjusted = 1;  // the p value with Holm's correction
  bool differs() const { return adjusted <= kLevel; }
};

struct Rank {
  int candidate = 0;
  bool is_finalist = false;
  int count = 0;
  std::optional<Spread> values;
  std::optional<Spread> ratios;
};

enum class Finding {
  kNone,          // the trial is not complete
  kNoDifference,  // no finalist is better than the reference
  kReference,     // the reference is better than each finalist
  kBetter         // the leader is better than the reference
};

struct Verdict {
  Finding finding = Finding::kNone;
  int leader = 0;
  std::vector<int> alike;  // finalists that the tests cannot distinguish from the leader (kBetter),
                           // or from the reference
  std::vector<Comparison> comparisons;
  std::vector<Rank> ranking;  // finalists, then dropped candidates (the last dropped first), then
                              // failed candidates
};

Verdict verdict_of(const Trial& trial);

}  // namespace nestbind::trial
