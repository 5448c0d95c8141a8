// SPDX-License-Identifier: BSD-3-Clause
// What a study has found, for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/tune/ranking.hpp"

namespace nestbind::cli::tune {

// {"metric", "better", "seed", "level", "runs", "seconds", "complete", "finding", "leader",
// "alike",
//  "line", "candidates": [...], "tests": [...]}: nestbind-tune(1). Pure.
nlohmann::ordered_json json_of(const Study& study, const trial::Verdict& verdict,
                               const Words& words);

}  // namespace nestbind::cli::tune
