// SPDX-License-Identifier: BSD-3-Clause
// nestbind plan: who would sit where.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"

namespace nestbind::cli {

inline constexpr int kMostRanks = 4096;  // of --ranks

struct PlanOptions {
  std::string spec;
  MachineOptions machine;
  std::optional<std::string> beside;  // another specification
  std::string order;                  // a file; empty: the plain order
  int ranks = 0;                      // that divide the machine; 0: one process
  std::string format;  // empty: picture on a terminal and with another one, otherwise text
};

// Returns the exit status.
int plan_command(const PlanOptions& options);

}  // namespace nestbind::cli
