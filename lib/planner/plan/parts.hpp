// SPDX-License-Identifier: BSD-3-Clause
// Divides a machine among processes that share it.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"

namespace nestbind::plan {

// Returns the processors of each part, ascending. scatter makes the parts from the machine's cores,
// as for a team of `parts` threads. Each thread needs `slots` slots (1 or more) for itself and its
// descendants. A core is divided only if there are more parts than cores. If there are more parts
// than hardware threads, adjacent parts share a processor. needs_all: whether to use all cores,
// even if fewer cores are enough. Each kind of cores is divided by itself, so that every part has
// its share of each.
std::vector<std::vector<int>> make_parts(const machine::Topology& topology, int parts, long slots,
                                         bool needs_all, machine::CoreChoice cores);

// Returns "4 ranks share 2 processors" if parts of ranks overlap, otherwise an empty text.
std::string sharing(const std::vector<std::vector<int>>& parts);

}  // namespace nestbind::plan
