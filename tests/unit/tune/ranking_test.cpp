// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "cli/tune/study.hpp"
#include "cli/tune/tune_progress.hpp"

using namespace nestbind;
using namespace nestbind::cli::tune;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

Study study() {
  Study made(layouts({{{}, {"2,scatter", "2,compact"}}}), {});
  const double values[] = {2.0, 1.5, 1.9, 0, 1.0};
  for (int run = 0; made.trial.next(); ++run) {
    const int turn = *made.trial.next();
    made.seconds += 2;
    if (turn == 3) {
      made.faults[3].text = "ended with status 3 in place of 0";
      made.trial.fail(2);
    } else {
      made.trial.take(values[turn] * (1 + 0.001 * std::sin(run)), 2);
    }
  }
  return made;
}

}  // namespace

TEST_CASE("the ranking and the verdict are printed") {
  const Study done = study();
  const auto verdict = trial::verdict_of(done.trial);
  const Words words = {"seconds", "", ""};
  const std::string ranking = ranking_text(done, verdict, words);
  INFO(ranking);
  CHECK_THAT(ranking.substr(0, ranking.find('\n')),
             StartsWith("seconds, ") && Contains("65 runs") && Contains("2 min 10 s") &&
                 Contains("15 rounds") && Contains("seed 1"));
  CHECK_THAT(ranking, Contains("\n   1  2,compact  "));
  CHECK_THAT(ranking, Contains("\n   2  OMP_PROC_BIND=spread,close  "));
  CHECK_THAT(ranking, Contains("\n   4  unbound  "));
  const std::string out = ranking.substr(ranking.find(done.faults[3].text) - 30, 30);
  CHECK_THAT(out, EndsWith("\n      2,scatter: "));
  const std::string said = verdict_text(done, verdict, words);
  CHECK_THAT(said, StartsWith("verdict: 2,compact ") && Contains("unbound") && Contains("0.500") &&
                       Contains("p = 0.0004"));
  CHECK_THAT(said, EndsWith("\n    eval \"$(nestbind run --print-env 2,compact)\" || exit\n"));
}

TEST_CASE("equal candidates and an early end give no winner") {
  Study equal(layouts({{{}, {"2,scatter"}}}), {});
  const Words words = {"a\x1b", "", ""};
  const std::string early = verdict_text(equal, trial::verdict_of(equal.trial), words);
  CHECK_THAT(early, StartsWith("verdict: none"));
  CHECK(std::ranges::count(early, '\n') == 1);  // no line for a job script
  while (equal.trial.next()) {
    equal.trial.take(1, 1);
  }
  const auto verdict = trial::verdict_of(equal.trial);
  const std::string said = verdict_text(equal, verdict, words);
  CHECK_THAT(said, StartsWith("verdict: no "));
  for (const char* name : {"unbound", "=spread,close", "=close,close", "2,scatter"}) {
    CHECK_THAT(said, Contains(name));
  }
  CHECK_THAT(said, !Contains("eval") && !Contains("export"));
  CHECK_THAT(ranking_text(equal, verdict, words), StartsWith("a\\x1b, "));
}

TEST_CASE("the progress line shows the runs, the round and the time left") {
  trial::Trial trial(9, {});
  CHECK_THAT(progress_line(trial, 0), StartsWith("[" + std::string(20, '.') + "] 0 of ") &&
                                          Contains(" 102 ") && Contains("round 1 of 3"));
  for (int i = 0; i < 51; ++i) {
    trial.take(1, 2);
  }
  CHECK_THAT(progress_line(trial, trial.seconds_left()),
             StartsWith("[##########..........] 51 of 102 ") && Contains("round 3 of 15") &&
                 Contains("1 min 42 s"));
}
