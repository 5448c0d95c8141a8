// SPDX-License-Identifier: BSD-3-Clause
// What a study has found, for people and for programs. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/tune/study.hpp"
#include "trial/trial_verdict.hpp"

namespace nestbind::cli::tune {

// How the numbers are called: "seconds", or the expression that finds them.
struct Words {
  std::string metric;
  std::string options;  // of nestbind run that hold for all, each followed by a blank
  std::string cpus;     // to which all are confined; empty: none
};

// A table of the candidates, the best first, and what became of the others; several lines.
std::string ranking_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// What may be said, and the line for the job script; several lines.
std::string verdict_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// The candidate that the verdict recommends: the leader, or where no difference was found the
// reference, which needs the least.
int recommended(const trial::Verdict& verdict);

// {"metric", "better", "seed", "level", "runs", "seconds", "complete", "finding", "leader",
// "alike",
//  "line", "candidates": [...], "tests": [...]}: nestbind-tune(1). Pure.
nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words);

}  // namespace nestbind::cli::tune
