// SPDX-License-Identifier: BSD-3-Clause
// The results of a study as text and as JSON. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/tune/study.hpp"
#include "trial/trial_verdict.hpp"

namespace nestbind::cli::tune {

// Texts of the options. metric: "seconds", or the expression that finds the number.
struct Words {
  std::string metric;
  std::string options;  // options of nestbind run for all candidates, each with a blank after it
  std::string cpus;     // the processors that all candidates may use; empty: all
};

// A table of the candidates, the best first, and why other candidates failed. Several lines.
std::string ranking_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// The conclusion, and the line for the job script. Several lines.
std::string verdict_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// The leader. If no difference was found: the reference, which needs no settings.
int recommended(const trial::Verdict& verdict);

// {"metric", "better", "seed", "level", "runs", "seconds", "complete", "finding", "leader",
//  "alike", "line", "candidates": [...], "tests": [...]}: nestbind-tune(1). Pure.
nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words);

}  // namespace nestbind::cli::tune
