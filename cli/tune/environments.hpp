// SPDX-License-Identifier: BSD-3-Clause
// The environment of each candidate, made of this process's own.
#pragma once

#include <string>
#include <vector>

#include "cli/tune/study.hpp"
#include "cli/variables.hpp"

namespace nestbind::cli::tune {

// Takes out of this process's environment all that binds, or that only some of the candidates would
// heed: the specification, a preloaded nestbind, the runtimes' own binding, a schedule of loops,
// reports. Returns the names of those that were set.
std::vector<std::string> set_aside();

// This process's environment, as it is. `binding` has what holds for all candidates; of its
// specification and its schedule, the candidate's count.
Prepared prepare(const Candidate& candidate, const Binding& binding);

}  // namespace nestbind::cli::tune
