// SPDX-License-Identifier: BSD-3-Clause
// Reads Slurm's descriptions of a network: topology.conf (tree, block), the output of `scontrol
// show topology`, and topology.yaml (tree, block, flat), as in topology.conf(5) and
// topology.yaml(5).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "network/network.hpp"

namespace nestbind::network {

// Blocks are leaf switches; BlockSizes of more than one block are switches above them. In
// topology.yaml the topology with cluster_default counts, otherwise the first. Returns none with a
// fault. If a node is missing in the file, fault.line is 0.
std::optional<Network> parse_topology(std::string_view text, const std::vector<std::string>& nodes,
                                      Fault& fault);

// The values of SLURM_TOPOLOGY_ADDR of all nodes: names of switches, then of the node, with points.
Network of_addresses(const std::vector<std::string>& addresses);

}  // namespace nestbind::network
