// SPDX-License-Identifier: BSD-3-Clause
// Shows the results of a study as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/tune/study.hpp"
#include "trial/trial_verdict.hpp"

namespace nestbind::cli::tune {

// metric: "seconds", or the expression that finds the number to compare.
struct Words {
  std::string metric;
  std::string options;
  std::string cpus;  // the processors that all candidates may use; if empty, all
};

std::string ranking_text(const Study& study, const trial::Verdict& verdict, const Words& words);

std::string verdict_text(const Study& study, const trial::Verdict& verdict, const Words& words);

// Returns the leader, which is the reference if no difference was found.
int recommended(const trial::Verdict& verdict);

// {"metric", "better", "seed", "level", "runs", "seconds", "complete", "finding", "leader",
//  "alike", "line", "candidates": [...], "tests": [...]}: nestbind-tune(1).
nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words);

}  // namespace nestbind::cli::tune
