// SPDX-License-Identifier: BSD-3-Clause
// From processors to nodes: for a caller's partition, and for the members of its team.
#pragma once

#include <vector>

#include "memory/kernel/memory_nodes.hpp"
#include "memory/module/memory_border.hpp"
#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::module {

// The partition's nodes that may have memory, ascending; if there are none, all that may have it.
std::vector<int> nodes_of_partition(const Caller& caller, const kernel::Nodes& nodes,
                                    const kernel::NodeSet& allowed);

// For each member the nodes of its processors, ascending. A node is listed once for each processor.
std::vector<spread::Member> members_of(const Caller& caller, const kernel::Nodes& nodes);

}  // namespace nestbind::memory::module
