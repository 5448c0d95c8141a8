// SPDX-License-Identifier: BSD-3-Clause
#include "trial/trial.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "made_up.hpp"

using namespace nestbind::trial;

namespace {

using Values = std::vector<double>;

// Candidate i has the value values[i] in every run.
Trial run(const Values& values, const Rules& rules = {}) {
  Trial trial(static_cast<int>(values.size()), rules);
  while (const auto turn = trial.next()) {
    trial.take(values[static_cast<std::size_t>(*turn)], 1);
  }
  return trial;
}

std::vector<int> order_of(const Verdict& verdict) {
  std::vector<int> order;
  for (const Rank& rank : verdict.ranking) {
    order.push_back(rank.candidate);
  }
  return order;
}

// No two values may be equal.
double wobbling(double value, int run) { return value * (1 + 0.001 * std::sin(run)); }

}  // namespace

TEST_CASE("each remaining candidate runs once a round, in changing order") {
  Trial trial(4, {});
  std::map<std::vector<int>, int> orders;
  for (int round = 0; round < 15; ++round) {
    std::vector<int> order;
    for (int i = 0; i < 4; ++i) {
      CHECK(trial.phase() == Phase::kFinal);
      CHECK(trial.round() == round);
      order.push_back(*trial.next());
      trial.take(1, 1);
    }
    ++orders[order];
    std::sort(order.begin(), order.end());
    CHECK(order == std::vector<int>{0, 1, 2, 3});
  }
  CHECK(trial.phase() == Phase::kOver);
  CHECK(!trial.next());
  CHECK(trial.is_complete());
  CHECK(orders.size() > 7);
}

TEST_CASE("the order depends on the seed") {
  const auto order = [](std::uint64_t seed) {
    Rules rules;
    rules.seed = seed;
    Trial trial(8, rules);
    std::vector<int> turns;
    for (int i = 0; i < 8; ++i) {
      turns.push_back(*trial.next());
      trial.take(1, 1);
    }
    return turns;
  };
  CHECK(order(1) == order(1));
  CHECK(order(1) != order(2));
  CHECK(order(1) == std::vector<int>{1, 3, 0, 2, 6, 4, 7, 5});
}

TEST_CASE("the better half stays, until three candidates are left") {
  const Trial trial = run({1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8});
  CHECK(trial.runs_done() == 3 * 9 + 3 * 5 + 15 * 4);
  CHECK(trial.runs_done() == runs(8, {}));
  std::vector<State> states;
  for (const Record& record : trial.records()) {
    states.push_back(record.state);
  }
  using enum State;
  CHECK(states ==
        std::vector<State>{kIn, kIn, kIn, kIn, kDropped, kDropped, kDropped, kDropped, kDropped});
  CHECK(trial.records()[3].selection.size() == 6);
  CHECK(trial.records()[3].finals.size() == 15);
  CHECK(trial.records()[4].selection.size() == 6);
  CHECK(trial.records()[5].selection.size() == 3);
  CHECK(trial.planned_pairs() == 6);
}

TEST_CASE("no candidate is removed before three runs") {
  const Trial trial = run({1, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 4.9, 55});
  for (const Record& record : trial.records()) {
    CHECK(record.selection.size() >= 3);
  }
  // The best candidate has one or two bad runs at the beginning.
  for (const int bad_runs : {1, 2}) {
    Trial unlucky(8, {});
    while (const auto turn = unlucky.next()) {
      const int runs = unlucky.records()[static_cast<std::size_t>(*turn)].runs;
      unlucky.take(*turn != 7 ? 1 : runs < bad_runs ? 9 : 0.5, 1);
    }
    CHECK((unlucky.records()[7].state == State::kIn) == (bad_runs == 1));
    CHECK(unlucky.records()[7].runs >= 3);
  }
  const Trial last = run({1, 9, 9.1, 9.2, 9.3, 9.4});
  CHECK(last.records()[1].state == State::kIn);
  CHECK(last.records()[2].state == State::kDropped);
  CHECK(verdict_of(last).finding == Finding::kReference);
}

TEST_CASE("a clear case has a clear verdict") {
  Rules rules;
  Trial trial(5, rules);
  const Values values = {1.0, 0.8, 0.9, 1.5, 1.6};
  for (int i = 0; trial.next(); ++i) {
    trial.take(wobbling(values[static_cast<std::size_t>(*trial.next())], i), 1);
  }
  const Verdict verdict = verdict_of(trial);
  CHECK(verdict.finding == Finding::kBetter);
  CHECK(verdict.leader == 1);
  CHECK(verdict.alike.empty());
  CHECK(order_of(verdict) == std::vector<int>{1, 2, 0, 3, 4});
  CHECK(verdict.comparisons.size() == 6);
  for (const Comparison& comparison : verdict.comparisons) {
    CHECK(comparison.differs());
    CHECK(comparison.p == Approx(2.0 / 32768));
    CHECK(values[static_cast<std::size_t>(comparison.better)] <
          values[static_cast<std::size_t>(comparison.worse)]);
  }
  CHECK(verdict.ranking[0].is_finalist);
  CHECK(verdict.ranking[0].count == 15);
  CHECK(verdict.ranking[0].ratios->median == Approx(0.8).margin(0.002));
  CHECK_FALSE(verdict.ranking[4].is_finalist);
  CHECK(verdict.ranking[4].count == 3);
  CHECK(verdict.ranking[4].ratios->median == Approx(1.6).margin(0.005));
}

TEST_CASE("higher numbers may be better, and may be zero or negative") {
  Rules rules;
  rules.better = Better::kHigher;
  const Verdict verdict = verdict_of(run({-1, 0, 5}, rules));
  CHECK(verdict.finding == Finding::kBetter);
  CHECK(verdict.leader == 2);
  CHECK(order_of(verdict) == std::vector<int>{2, 1, 0});
  CHECK(!verdict.ranking[0].ratios);
  CHECK(verdict.ranking[0].values->median == 5);
}

TEST_CASE("equal numbers in every run are no difference") {
  const Verdict verdict = verdict_of(run({100, 100, 100, 30, 20, 10}, {Better::kHigher, {}, 1, 0}));
  CHECK(verdict.finding == Finding::kNoDifference);
  CHECK(verdict.alike == std::vector<int>{1, 2});
  CHECK(order_of(verdict) == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a failed candidate is out, and the tests of the others stay equally strict") {
  Trial trial(4, {});
  for (int i = 0; trial.next(); ++i) {
    const int turn = *trial.next();
    if (turn == 2 && trial.round() == 7) {
      trial.fail(1);
    } else {
      trial.take(wobbling(turn == 1 ? 0.9 : 1, i), 1);
    }
  }
  CHECK(trial.is_complete());
  CHECK(trial.planned_pairs() == 6);
  const Verdict verdict = verdict_of(trial);
  CHECK(verdict.comparisons.size() == 3);
  CHECK(order_of(verdict).back() == 2);
  CHECK(verdict.leader == 1);
  CHECK(verdict.comparisons[0].adjusted == Approx(6 * 2.0 / 32768));
}

TEST_CASE("there is no verdict without the reference or without a candidate") {
  for (const int failing : {0, 1}) {
    Trial trial(2, {});
    while (trial.next()) {
      if (*trial.next() == failing) {
        trial.fail(1);
      } else {
        trial.take(1, 1);
      }
    }
    CHECK_FALSE(trial.is_complete());
    CHECK(trial.phase() == Phase::kOver);
    CHECK(trial.runs_left() == 0);
    CHECK(verdict_of(trial).finding == Finding::kNone);
    CHECK(verdict_of(trial).ranking.size() == 2);
  }
}

TEST_CASE("an interrupted trial has a ranking and no verdict") {
  const Values values = {1.0, 0.9, 0.8, 1.2, 1.1, 1.3, 0.7};
  const int all = runs(6, {});
  for (int end = 0; end < all; ++end) {
    Trial trial(7, {});
    CHECK(trial.runs_left() == all);
    for (int i = 0; i < end; ++i) {
      trial.take(values[static_cast<std::size_t>(*trial.next())], 1);
      CHECK(trial.runs_left() <= all - i - 1);
      CHECK(trial.seconds_left() == Approx(trial.runs_left()));
    }
    const Verdict verdict = verdict_of(trial);
    CHECK(verdict.finding == Finding::kNone);
    CHECK(verdict.comparisons.empty());
    CHECK(verdict.ranking.size() == 7);
    if (end >= 7) {
      CHECK(verdict.ranking[0].candidate == 6);
      CHECK(verdict.ranking[0].values->median == 0.7);
    }
  }
}

TEST_CASE("the numbers of rounds and runs are as planned") {
  CHECK(pairs(3) == 6);
  CHECK(fewest_final_rounds(3) == 11);
  CHECK(fewest_final_rounds(2) == 10);
  CHECK(fewest_final_rounds(1) == 8);
  CHECK(selection_runs(3, {}) == 0);
  CHECK(selection_runs(7, {}) == 3 * 8 + 3 * 5);
  CHECK(runs(1, {}) == 15 * 2);
  // Of 69 schedules 35 stay, then 18, 9, 5 and 3.
  CHECK(runs(69, {}) == 3 * (70 + 36 + 19 + 10 + 6) + 15 * 4);
}

TEST_CASE("a budget gives the numbers of rounds and finalists") {
  // The selection takes 39 runs of a second, and a round of the final takes 4 runs.
  CHECK(counts_within(200, 1, 7).final_rounds == 40);
  CHECK(counts_within(100, 1, 7).final_rounds == 15);
  CHECK(counts_within(83, 1, 7).final_rounds == 11);
  CHECK(counts_within(83, 1, 7).finalists == 3);
  // A smaller budget gives fewer finalists: 24 + 15 + 3 * 14 runs.
  CHECK(counts_within(82, 1, 7).finalists == 2);
  CHECK(counts_within(82, 1, 7).final_rounds == 14);
  CHECK(counts_within(69, 1, 7).final_rounds == 10);
  // An even smaller budget gives one more stage: 24 + 15 + 9 + 2 * 10 runs.
  CHECK(counts_within(68, 1, 7).finalists == 1);
  CHECK(counts_within(68, 1, 7).final_rounds == 10);
  CHECK(counts_within(64, 1, 7).final_rounds == 8);
  // Fewer than 8 rounds can show no difference. Each candidate runs three times before it is
  // dropped.
  CHECK(counts_within(1, 1, 7).final_rounds == 8);
  CHECK(counts_within(1, 1, 7).selection_rounds == 3);
}

TEST_CASE("a budget sets the number of final rounds when the final begins") {
  Rules rules;
  rules.budget = 100;
  rules.counts = counts_within(rules.budget, 0.5, 7);
  Trial trial(8, rules);
  while (trial.next()) {
    trial.take(1, 1);
  }
  CHECK(trial.records()[0].finals.size() == 15);
  CHECK(trial.is_complete());
  CHECK_FALSE(trial.is_cut());
  rules.budget = 60;
  Trial late(8, rules);
  while (late.next()) {
    late.take(1, 1);
  }
  CHECK(late.planned_pairs() == 1);
  CHECK(late.records()[0].finals.size() == 10);
  CHECK(verdict_of(late).finding == Finding::kNoDifference);
}

TEST_CASE("only a candidate's first run may exceed the budget") {
  const Values values = {1.0, 0.9, 0.8, 1.2, 1.1, 1.3, 0.7};
  for (double budget = 1; budget < 100; ++budget) {
    Rules rules;
    rules.budget = budget;
    rules.counts = counts_within(rules.budget, 1, 6);
    Trial trial(7, rules);
    double seconds = 0;
    while (const auto turn = trial.next()) {
      const bool is_first = trial.records()[static_cast<std::size_t>(*turn)].runs == 0;
      const double wanted = 1.5 + seconds / 100;
      const double took = std::min(wanted, trial.seconds_allowed());
      CHECK((took == wanted || !is_first));
      seconds += took;
      if (took < wanted) {
        trial.cut();
      } else {
        trial.take(values[static_cast<std::size_t>(*turn)], took);
      }
    }
    INFO(budget);
    double first = 0;
    for (int i = 0; i < 7; ++i) {
      first += 1.5 + first / 100;
    }
    CHECK(seconds <= std::max(budget, first + 1e-9));
    for (const Record& record : trial.records()) {
      CHECK(record.runs >= 1);
    }
    const Verdict verdict = verdict_of(trial);
    CHECK(verdict.ranking.size() == 7);
    CHECK(verdict.ranking[0].candidate == 6);
    CHECK((verdict.finding == Finding::kBetter) == trial.is_complete());
    CHECK((trial.is_complete() || trial.is_cut()));
  }
}
