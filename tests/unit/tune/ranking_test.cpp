// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/ranking.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "cli/tune/tune_progress.hpp"

using namespace nestbind;
using namespace nestbind::cli::tune;

namespace {

// Five layouts worth these numbers, the fourth of which fails; each with a slight wave.
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

TEST_CASE("a ranking and its verdict") {
  const Study done = study();
  const auto verdict = trial::verdict_of(done.trial);
  const Words words = {"seconds", "", ""};
  const std::string ranking = ranking_text(done, verdict, words);
  INFO(ranking);
  CHECK(ranking.find(
            "seconds, less is better; 65 runs in 2 min 10 s, the final of 15 rounds, seed 1\n") ==
        0);
  CHECK(ranking.find("   1  2,compact                    ") != std::string::npos);
  CHECK(ranking.find("   2  OMP_PROC_BIND=spread,close   ") != std::string::npos);
  CHECK(ranking.find("   4  unbound                      ") != std::string::npos);
  CHECK(ranking.find("  out:\n      2,scatter: ended with status 3 in place of 0\n") !=
        std::string::npos);
  CHECK(verdict_text(done, verdict, words) ==
        "verdict: 2,compact is better than unbound, 0.500 of its value (p = 0.0004), and than all "
        "others of the final\nfor the job script:\n    eval \"$(nestbind run --print-env "
        "2,compact)\" || exit\n");
}

TEST_CASE("no difference, and no end") {
  Study equal(layouts({{{}, {"2,scatter"}}}), {});
  const Words words = {"a\x1b", "", ""};
  CHECK(verdict_text(equal, trial::verdict_of(equal.trial), words) ==
        "verdict: none: it has not come to its end\n");
  CHECK(ranking_text(equal, trial::verdict_of(equal.trial), words).find("not run") !=
        std::string::npos);
  while (equal.trial.next()) {
    equal.trial.take(1, 1);
  }
  const auto verdict = trial::verdict_of(equal.trial);
  CHECK(verdict_text(equal, verdict, words) ==
        "verdict: no difference between unbound and OMP_PROC_BIND=spread,close, "
        "OMP_PROC_BIND=close,close and 2,scatter\nfor the job script: nothing, the program as it "
        "is\n");
  CHECK(ranking_text(equal, verdict, words).find("a\\x1b, less is better") == 0);
}

TEST_CASE("how far it is") {
  trial::Trial trial(9, {});
  CHECK(progress_line(trial, 0) ==
        "[....................] 0 of at most 102 runs, selection, round 1 of 3");
  for (int i = 0; i < 51; ++i) {
    trial.take(1, 2);
  }
  CHECK(progress_line(trial, trial.seconds_left()) ==
        "[##########..........] 51 of 102 runs, final, round 3 of 15; 1 min 42 s left");
}
