// SPDX-License-Identifier: BSD-3-Clause
// The results of a study, for people and for programs. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/tune/study.hpp"
#include "trial/trial_verdict.hpp"

namespace nestbind::cli::tune {

// The name of the numbers: "seconds", or the expression that finds them.
struct Words {
  std::string metric;
  std::string options;  // options of nestbind run for all candidates, each followed by a blank
  std::string cpus;     // the processors to which all candidates are confined; empty: none
};

// A table of the candidates, the best first, and the failures of the others; several lines.
std::string ranking_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// The conclusion, and the line for the job script; several lines.
std::string verdict_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// The leader; if no difference was found, the reference, which needs no settings.
int recommended(const trial::Verdict& verdict);

// {"metric", "better", "seed", "level", "runs", "seconds", "complete", "finding", "leader",
//  "alike", "line", "candidates": [...], "tests": [...]}: nestbind-tune(1). Pure.
nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words);

}  // namespace nestbind::cli::tune
