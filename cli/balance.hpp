// SPDX-License-Identifier: BSD-3-Clause
// nestbind balance: which object belongs on which slot.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"

namespace nestbind::cli {

struct BalanceOptions {
  std::string file;  // the objects
  std::string spec;  // empty: a slot for each core
  MachineOptions machine;
  std::string algorithm;            // a word of balance::kWords; empty: numa
  std::optional<double> alpha;      // of numa; without: balance::usual_alpha()
  std::optional<double> tolerance;  // of refine; without: 0.001
  bool json = false;
};

// Returns the exit status.
int balance_command(const BalanceOptions& options);

}  // namespace nestbind::cli
