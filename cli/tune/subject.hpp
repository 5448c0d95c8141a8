// SPDX-License-Identifier: BSD-3-Clause
// The program that is to be tuned, and what is worth trying with it.
#pragma once

#include <optional>
#include <vector>

#include "cli/tune/wanted.hpp"
#include "cli/variables.hpp"

namespace nestbind::cli::tune {

struct Subject {
  Binding binding;            // for all candidates
  std::vector<Shape> shapes;  // with their specifications
};

// Looks at the program and the machine, and makes this process's environment that of the unbound
// program. Says why there is nothing to tune, fills in the exit status, and returns none.
std::optional<Subject> find_subject(const TuneOptions& options, const Wanted& wanted, int& status);

}  // namespace nestbind::cli::tune
