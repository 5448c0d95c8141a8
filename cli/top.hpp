// SPDX-License-Identifier: BSD-3-Clause
// nestbind top: who runs where, while it runs.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

struct TopOptions {
  std::vector<int> processes;  // empty: those that tell their places, and others that are busy
  double delay = 1;            // seconds between refreshes
  std::string sort = "path";   // one of top::kOrders
  bool once = false;           // one table on the standard output
  bool json = false;           // a line for each refresh there
};

// Returns the exit status. Where the standard output is no terminal, one table is written to it.
int top_command(const TopOptions& options);

}  // namespace nestbind::cli
