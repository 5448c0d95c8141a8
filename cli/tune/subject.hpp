// SPDX-License-Identifier: BSD-3-Clause
// The program to tune, the specifications to try, and each candidate's environment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/preload.hpp"
#include "cli/tune/study.hpp"
#include "cli/tune/wanted.hpp"

namespace nestbind::cli::tune {

struct Subject {
  Binding binding;
  std::vector<Shape> shapes;
};

// Examines the program and the machine, and sets this process's environment for the unbound
// program. If there is nothing to tune, says why, sets the exit status and returns nothing.
std::optional<Subject> find_subject(const TuneOptions& options, const Wanted& wanted, int& status);

// Removes variables that would change a candidate, for example a specification. Removes nestbind
// from LD_PRELOAD. Returns the names of the changed variables.
std::vector<std::string> set_aside();

Prepared prepare(const Candidate& candidate, const Binding& binding);

}  // namespace nestbind::cli::tune
