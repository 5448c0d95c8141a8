// SPDX-License-Identifier: BSD-3-Clause
// Finds the nodes of a caller's partition, and of the members of its team.
#pragma once

#include <vector>

#include "memory/kernel/memory_nodes.hpp"
#include "memory/module/memory_border.hpp"
#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::module {

// Returns the partition's nodes that are in `allowed`, ascending, or `allowed` if there are none.
std::vector<int> nodes_of_partition(const Caller& caller, const kernel::Nodes& nodes,
                                    const kernel::NodeSet& allowed);

std::vector<spread::Member> members_of(const Caller& caller, const kernel::Nodes& nodes);

}  // namespace nestbind::memory::module
