// SPDX-License-Identifier: BSD-3-Clause
// nestbind map: an order in which those who talk to each other sit close together.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace nestbind::cli {

struct MapOptions {
  std::string spec;
  MachineOptions machine;
  std::string communication;  // file
  std::string output;         // file; empty: none
  std::string method;         // scotch, or greedy; empty: by SCOTCH, if it is there
  std::string format;         // text or json; empty: text
};

// Returns the exit status.
int map_command(const MapOptions& options);

}  // namespace nestbind::cli
