// SPDX-License-Identifier: BSD-3-Clause
#include "trial/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nestbind::trial {

namespace {

constexpr int kMostFinalRounds = 40;

int rounds_that_fit(double seconds, double seconds_a_run, int finalists) {
  const double round = seconds_a_run * (finalists + 1);
  const double fit = round > 0 ? std::floor(seconds / round) : kMostFinalRounds;
  return static_cast<int>(std::clamp<double>(fit, 0, kMostFinalRounds));
}

constexpr int kReference = 0;

// A candidate that is worse than the best by this factor gets no more runs of the selection. With
// fewer than kFewestRuns runs, one bad run decides.
constexpr double kHopeless = 2;
constexpr std::size_t kFewestRuns = 3;

// Returns how many candidates stay after a stage: half, rounded up, but at least `finalists`.
int left_behind_stage(int living, int finalists) {
  return std::min(living, std::max(finalists, (living + 1) / 2));
}

// Returns the number of final rounds that fit into the remaining seconds, at least
// fewest_final_rounds(). seconds_a_run: the mean time of a run.
int final_rounds_within(double seconds, double seconds_a_run, int finalists) {
  return std::max(rounds_that_fit(seconds, seconds_a_run, finalists),
                  fewest_final_rounds(finalists));
}

}  // namespace

int pairs(int finalists) { return finalists * (finalists + 1) / 2; }

int fewest_final_rounds(int finalists) {
  return fewest_pairs(kLevel / std::max(1, pairs(finalists)));
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

Trial::Trial(int candidates, const Rules& rules)
    : rules_(rules), dice_(rules.seed), records_(static_cast<std::size_t>(candidates)) {
  if (candidates - 1 > rules_.counts.finalists) {
    rounds_ = rules_.counts.selection_rounds;
    begin_round();
  } else {
    begin_final();
  }
}

std::optional<int> Trial::next() const {
  return turns_.empty() ? std::nullopt : std::optional<int>(turns_.back());
}

void Trial::take(double value, double seconds) {
  Record& now = record(turns_.back());
  (phase_ == Phase::kFinal ? now.finals : now.selection).push_back(value);
  advance(seconds);
}

void Trial::fail(double seconds) {
  const int candidate = turns_.back();
  record(candidate).state = State::kFailed;
  if (candidate == kReference || living().empty()) {
    phase_ = Phase::kOver;
    turns_.assign(1, candidate);
  }
  advance(seconds);
}

void Trial::advance(double seconds) {
  Record& now = record(turns_.back());
  now.seconds += seconds;
  ++now.runs;
  seconds_ += seconds;
  ++runs_done_;
  turns_.pop_back();
  if (turns_.empty() && phase_ != Phase::kOver) {
    end_round();
  }
  if (seconds_allowed() <= 0) {
    cut();
  }
}

void Trial::cut() {
  is_cut_ = true;
  phase_ = Phase::kOver;
  rounds_ = round_;
  turns_.clear();
}

double Trial::seconds_allowed() const {
  const std::optional<int> turn = next();
  const bool is_limited =
      rules_.budget > 0 && turn && records_[static_cast<std::size_t>(*turn)].runs > 0;
  return is_limited ? rules_.budget - seconds_ : std::numeric_limits<double>::infinity();
}

std::vector<int> Trial::living() const {
  std::vector<int> result;
  for (std::size_t i = kReference + 1; i < records_.size(); ++i) {
    if (records_[i].state == State::kIn) {
      result.push_back(static_cast<int>(i));
    }
  }
  return result;
}

void Trial::begin_round() {
  turns_ = living();
  turns_.push_back(kReference);
  dice_.shuffle(turns_);
}

void Trial::end_round() {
  ++round_;
  if (phase_ == Phase::kFinal) {
    if (round_ == rounds_) {
      phase_ = Phase::kOver;
    } else {
      begin_round();
    }
    return;
  }
  if (score_living() && record(kReference).selection.size() >= kFewestRuns) {
    drop_hopeless();
  }
  if (round_ == rounds_) {
    end_stage();
  } else if (static_cast<int>(living().size()) <= rules_.counts.finalists) {
    begin_final();
  } else {
    begin_round();
  }
}

// Drops bad candidates, but never the last candidate, because the final needs one.
void Trial::drop_hopeless() {
  const std::vector<int> rest = living();
  const int best = *std::min_element(
      rest.begin(), rest.end(), [this](int a, int b) { return record(a).score < record(b).score; });
  const double leading = std::min(record(best).score, record(kReference).score);
  for (const int one : rest) {
    if (one != best && record(one).score > leading + std::log(kHopeless)) {
      record(one).state = State::kDropped;
    }
  }
}

void Trial::keep_best(int left) {
  std::vector<int> order = living();
  std::sort(order.begin(), order.end(), [this](int a, int b) {
    return std::pair(record(a).score, a) < std::pair(record(b).score, b);
  });
  for (std::size_t i = static_cast<std::size_t>(left); i < order.size(); ++i) {
    record(order[i]).state = State::kDropped;
  }
}

void Trial::end_stage() {
  const int left = left_behind_stage(static_cast<int>(living().size()), rules_.counts.finalists);
  keep_best(left);
  if (left <= rules_.counts.finalists) {
    begin_final();
  } else {
    round_ = 0;
    begin_round();
  }
}

// Begins the final: from now on, candidates and number of runs do not depend on measured values.
void Trial::begin_final() {
  int finalists = static_cast<int>(living().size());
  rounds_ = rules_.counts.final_rounds;
  if (rules_.budget > 0 && runs_done_ > 0) {
    const double left = rules_.budget - seconds_;
    const double run = mean_seconds();
    while (finalists > 1 && fewest_final_rounds(finalists) * (finalists + 1) * run > left) {
      --finalists;
    }
    rounds_ = final_rounds_within(left, run, finalists);
    keep_best(finalists);
  }
  phase_ = Phase::kFinal;
  round_ = 0;
  planned_pairs_ = pairs(finalists);
  begin_round();
}

// Compares each candidate with the median of each round. The score is the median of these
// differences.
bool Trial::score_living() {
  std::vector<int> in = living();
  in.push_back(kReference);
  bool is_ratio = true;
  for (const int one : in) {
    is_ratio = is_ratio && are_ratios(record(one).selection);
  }
  const double sign = rules_.better == Better::kLower ? 1 : -1;
  const std::size_t rounds = records_[kReference].selection.size();
  std::vector<std::vector<double>> away(in.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<double> values;
    values.reserve(in.size());
    for (const int one : in) {
      values.push_back(scaled(record(one).selection[round], is_ratio));
    }
    const double middle = median(values);
    for (std::size_t i = 0; i < in.size(); ++i) {
      away[i].push_back(sign * (values[i] - middle));
    }
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    record(in[i]).score = median(away[i]);
  }
  return is_ratio;
}

double Trial::mean_seconds() const {
  double seconds = 0;
  int runs = 0;
  for (const Record& one : records_) {
    if (one.state == State::kIn) {
      seconds += one.seconds;
      runs += one.runs;
    }
  }
  return runs > 0 ? seconds / runs : 0;
}

int Trial::runs_left() const {
  if (phase_ == Phase::kOver) {
    return 0;
  }
  const int in = static_cast<int>(living().size());
  const int rest = static_cast<int>(turns_.size()) + (rounds_ - round_ - 1) * (in + 1);
  if (phase_ == Phase::kFinal) {
    return rest;
  }
  return rest + trial::runs(left_behind_stage(in, rules_.counts.finalists), rules_.counts);
}

double Trial::seconds_left() const { return runs_left() * mean_seconds(); }

bool Trial::is_complete() const {
  return phase_ == Phase::kOver && records_[kReference].state == State::kIn && round_ == rounds_ &&
         planned_pairs_ > 0 && rounds_ >= fewest_pairs(kLevel / planned_pairs_);
}

}  // namespace nestbind::trial
