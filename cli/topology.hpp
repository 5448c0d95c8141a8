// SPDX-License-Identifier: BSD-3-Clause
// nestbind topology: what lies between the slots of a machine.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace nestbind::cli {

struct TopologyOptions {
  std::string spec;  // whose slots are shown; empty: those for one thread
  MachineOptions machine;
  std::string order;         // a file; empty: members by number
  bool hops = false;         // only these, and
  bool coordinates = false;  // only these; neither: what is between nodes
  std::string format;        // empty: text
};

// Returns the exit status.
int topology_command(const TopologyOptions& options);

}  // namespace nestbind::cli
