// SPDX-License-Identifier: BSD-3-Clause
// From processors to nodes: of a caller's partition, and of the members of its team.
#pragma once

#include <vector>

#include "memory/kernel/memory_nodes.hpp"
#include "memory/module/memory_border.hpp"
#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::module {

// The nodes with processors of the partition that memory may be on, ascending; where that are none,
// all that memory may be on.
std::vector<int> nodes_of_partition(const Caller& caller, const kernel::Nodes& nodes,
                                    const kernel::NodeSet& allowed);

// For each member the nodes of its processors, ascending; each stands there as often as it has
// processors.
std::vector<spread::Member> members_of(const Caller& caller, const kernel::Nodes& nodes);

}  // namespace nestbind::memory::module
