// SPDX-License-Identifier: BSD-3-Clause
// nestbind plan: who would sit where.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace nestbind::cli {

struct PlanOptions {
  std::string spec;
  MachineOptions machine;
  std::string format = "text";
};

// Returns the exit status.
int plan_command(const PlanOptions& options);

}  // namespace nestbind::cli
