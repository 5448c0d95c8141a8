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
  Binding binding;            // the same for all candidates
  std::vector<Shape> shapes;  // with the specifications to try
};

// Examines the program and the machine, and gives this process the environment of the unbound
// program. If there is nothing to tune, says why, sets the exit status, and returns none.
std::optional<Subject> find_subject(const TuneOptions& options, const Wanted& wanted, int& status);

// Removes variables that bind, or that only some candidates would obey: the specification, a
// preloaded nestbind, runtimes' binding, schedules, reports. Returns the names of those set.
std::vector<std::string> set_aside();

// This process's environment with `binding`, but the candidate's own specification and schedule.
Prepared prepare(const Candidate& candidate, const Binding& binding);

}  // namespace nestbind::cli::tune
