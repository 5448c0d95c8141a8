// SPDX-License-Identifier: BSD-3-Clause
// Divides a machine among processes that share it. Each process has a plan of its own.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"

namespace nestbind::plan {

// The processors of each of `parts` parts, ascending. scatter makes the parts from the machine's
// cores, as for `parts` threads that each want `slots` slots (1 or more) for themselves and their
// descendants. A core is cut only if there are more parts than cores. If there are more parts than
// hardware threads, adjacent parts share a processor. needs_all: uses also cores of hybrid machines
// that fewer threads would leave idle.
std::vector<std::vector<int>> make_parts(const machine::Topology& topology, int parts, long slots,
                                         bool needs_all, machine::CoreChoice cores);

// Whether parts of ranks overlap: "4 ranks share 2 processors". Empty: no parts overlap.
std::string sharing(const std::vector<std::vector<int>>& parts);

}  // namespace nestbind::plan
