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
  std::string algorithm;        // a word of balance::kWords; empty: numa
  std::optional<double> alpha;  // without: balance::usual_alpha()
  double tolerance = 1e-3;
  bool json = false;
};

// Returns the exit status.
int balance_command(const BalanceOptions& options);

}  // namespace nestbind::cli
