// SPDX-License-Identifier: BSD-3-Clause
// Counts how often a trial is wrong, and how often it finds an existing difference.
#include <algorithm>
#include <catch2/catch.hpp>

#include "made_up.hpp"

using namespace nestbind::trial;
using namespace made_up;

namespace {

constexpr int kPrograms = 1000;

// At most 1 % of verdicts should be wrong. The test allows 2 %, because the number varies by
// chance.
constexpr int kMostWrong = 20;

struct Kind {
  const char* name;
  Machine machine;
};
constexpr Kind kKinds[] = {{"quiet", quiet},
                           {"wild", wild},
                           {"drifting", drifting},
                           {"visited", visited},
                           {"coarse", coarse}};

template <typename Judge>
int count(const std::vector<double>& seconds, Machine machine, Judge judge,
          int programs = kPrograms, const Rules& rules = {}) {
  int found = 0;
  for (int program = 0; program < programs; ++program) {
    const auto seed = static_cast<std::uint64_t>(program + 1);
    found += judge(verdict_of(tried(seconds, rules, machine, seed))) ? 1 : 0;
  }
  return found;
}

bool claims_anything(const Verdict& verdict) {
  return std::any_of(verdict.comparisons.begin(), verdict.comparisons.end(),
                     [](const Comparison& one) { return one.differs(); });
}

bool claims_among_bound(const Verdict& verdict) {
  return std::any_of(
      verdict.comparisons.begin(), verdict.comparisons.end(),
      [](const Comparison& one) { return one.differs() && one.better != 0 && one.worse != 0; });
}

bool is_the_winner(const Verdict& verdict, int candidate) {
  return verdict.finding == Finding::kBetter && verdict.leader == candidate &&
         verdict.alike.empty();
}

}  // namespace

TEST_CASE("no candidate wins if all are equal") {
  for (const Kind& kind : kKinds) {
    const int wrong = count(std::vector<double>(8, 1.0), kind.machine, claims_anything);
    INFO(kind.name << ": " << wrong << " of " << kPrograms);
    CHECK(wrong <= kMostWrong);
  }
}

TEST_CASE("no candidate is the best if all are equal and better than the reference") {
  std::vector<double> seconds(8, 1.0);
  seconds[0] = 1.5;
  for (const Kind& kind : {kKinds[0], kKinds[2], kKinds[3]}) {
    const int wrong = count(seconds, kind.machine, claims_among_bound);
    const int found = count(seconds, kind.machine, [](const Verdict& verdict) {
      return verdict.finding == Finding::kBetter && !verdict.alike.empty();
    });
    INFO(kind.name << ": " << wrong << " wrong, " << found << " found of " << kPrograms);
    CHECK(wrong <= kMostWrong);
    CHECK(found >= 900);
  }
}

TEST_CASE("no schedule wins if many are equal") {
  constexpr int kFewer = 100;
  const int wrong = count(std::vector<double>(70, 1.0), drifting, claims_anything, kFewer);
  CHECK(wrong <= 3);
}

TEST_CASE("a gain of 10 % is found in 3 % of noise") {
  std::vector<double> seconds(8, 1.0);
  seconds[5] = 0.9;
  const int found =
      count(seconds, quiet, [](const Verdict& verdict) { return is_the_winner(verdict, 5); });
  INFO(found << " of " << kPrograms);
  CHECK(found >= 900);
}

TEST_CASE("a gain is found for numbers that should be high, on a slowing machine") {
  std::vector<double> seconds(8, 1.0);
  seconds[2] = 0.9;
  Rules rules;
  rules.better = Better::kHigher;
  const int found = count(
      seconds, drifting, [](const Verdict& verdict) { return is_the_winner(verdict, 2); },
      kPrograms, rules);
  INFO(found << " of " << kPrograms);
  CHECK(found >= 900);
}

TEST_CASE("the reference is found to be the best") {
  std::vector<double> seconds(8, 1.1);
  seconds[0] = 1;
  const int found = count(seconds, quiet, [](const Verdict& verdict) {
    return verdict.finding == Finding::kReference;
  });
  CHECK(found >= 900);
}

TEST_CASE("the error is the same with the fewest rounds") {
  Rules rules;
  rules.counts.final_rounds = fewest_final_rounds(rules.counts.finalists);
  const int wrong = count(std::vector<double>(8, 1.0), wild, claims_anything, kPrograms, rules);
  CHECK(wrong <= kMostWrong);
}
