// SPDX-License-Identifier: BSD-3-Clause
// The program that is to be tuned, what is worth trying with it, and the environment of each
// candidate, made of this process's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/preload.hpp"
#include "cli/tune/study.hpp"
#include "cli/tune/wanted.hpp"

namespace nestbind::cli::tune {

struct Subject {
  Binding binding;            // for all candidates
  std::vector<Shape> shapes;  // with their specifications
};

// Looks at the program and the machine, and makes this process's environment that of the unbound
// program. Says why there is nothing to tune, fills in the exit status, and returns none.
std::optional<Subject> find_subject(const TuneOptions& options, const Wanted& wanted, int& status);

// Takes out of this process's environment all that binds, or that only some of the candidates would
// heed: the specification, a preloaded nestbind, the runtimes' own binding, a schedule of loops,
// reports. Returns the names of those that were set.
std::vector<std::string> set_aside();

// This process's environment, as it is. `binding` has what holds for all candidates; of its
// specification and its schedule, the candidate's count.
Prepared prepare(const Candidate& candidate, const Binding& binding);

}  // namespace nestbind::cli::tune
