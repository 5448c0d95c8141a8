// SPDX-License-Identifier: BSD-3-Clause
// Parts of a machine for processes that share it, each with a plan of its own.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"

namespace nestbind::plan {

// The processors of each of `parts` parts, ascending: what scatter makes of the machine's cores for
// as many threads, each of which wants `slots` slots (1 or more) for itself and its descendants. A
// core is cut only where there are more parts than cores; with more parts than hardware threads
// neighbours have the same. needs_all: also cores that fewer threads would leave idle, of hybrid
// machines.
std::vector<std::vector<int>> make_parts(const machine::Topology& topology, int parts, long slots,
                                         bool needs_all, machine::CoreChoice cores);

// "4 ranks share 2 processors", of the parts of so many ranks; empty where no two have the same.
std::string sharing(const std::vector<std::vector<int>>& parts);

}  // namespace nestbind::plan
