// SPDX-License-Identifier: BSD-3-Clause
// Shows the results of a study as text and as JSON. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/tune/study.hpp"
#include "trial/trial_verdict.hpp"

namespace nestbind::cli::tune {

// Options as text. metric: "seconds", or the expression that finds the number to compare.
struct Words {
  std::string metric;
  std::string options;  // options of nestbind run for all candidates, each with a blank after it
  std::string cpus;     // the processors that all candidates may use; if empty, all
};

// Returns a table of the candidates, the best first, and why other candidates failed.
std::string ranking_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// Returns the conclusion, and the line for the job script.
std::string verdict_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// Returns the leader, or if no difference was found the reference, which needs no settings.
int recommended(const trial::Verdict& verdict);

// {"metric", "better", "seed", "level", "runs", "seconds", "complete", "finding", "leader",
//  "alike", "line", "candidates": [...], "tests": [...]}: nestbind-tune(1). Pure.
nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words);

}  // namespace nestbind::cli::tune
