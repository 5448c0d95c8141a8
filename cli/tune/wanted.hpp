// SPDX-License-Identifier: BSD-3-Clause
// The options of nestbind tune, read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/startable.hpp"
#include "cli/tune.hpp"
#include "cli/tune/study.hpp"
#include "trial/trial.hpp"

namespace nestbind::cli::tune {

struct Wanted {
  Program program;  // but for its folder
  trial::Rules rules;
  bool has_rounds = false;               // they are the user's
  std::vector<std::vector<int>> shapes;  // none: not known
  std::vector<std::string> specs;        // canonical; none: what is suggested
  RuntimeChoice runtime;
  std::string options;  // of nestbind run, for the job script; each followed by a blank
};

// None, and says what is wrong.
std::optional<Wanted> read_wanted(const TuneOptions& options);

}  // namespace nestbind::cli::tune
