// SPDX-License-Identifier: BSD-3-Clause
// nestbind explain: a specification in words, and in the variables of others.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace nestbind::cli {

struct ExplainOptions {
  std::string spec;
  MachineOptions machine;
  std::string runtime;  // gnu or llvm; empty: both
  std::string format = "text";
};

// Returns the exit status.
int explain_command(const ExplainOptions& options);

}  // namespace nestbind::cli
