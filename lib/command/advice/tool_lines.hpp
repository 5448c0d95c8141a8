// SPDX-License-Identifier: BSD-3-Clause
// The lines that bind the teams of a layout by another tool: OpenMP's variables, likwid-pin,
// taskset or hwloc-bind.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "show/layout.hpp"

namespace nestbind::advice {

struct ToolLines {
  std::string lines;   // for a shell; empty if the tool cannot bind these teams
  std::string reason;  // why the tool cannot, or why only one runtime can; may be empty
};

// tool: "places", "likwid", "taskset" or "hwloc". A tool that cannot bind all teams of one process
// gets a line for each of the deepest teams, for programs that start a process for each team.
// machine_cores: as for equivalents().
ToolLines lines_for(const std::string& tool, const show::Layout& layout,
                    const std::vector<machine::Slot>& machine_cores);

}  // namespace nestbind::advice
