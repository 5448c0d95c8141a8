// SPDX-License-Identifier: BSD-3-Clause
// The nodes, the ranks on them, and the network that options or the job's variables name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace nestbind::cli {

struct NodesOptions {
  std::string nodes;           // a list of hosts or a host file; if empty, the job's
  std::string ranks_per_node;  // one number, or one for each node; if empty, the job's
  std::string network;         // none, slurm, a form or a file; if empty, none
  std::string coordinates;     // a file; if empty, nodes are numbered in their order
};
void add_network_options(CLI::App& command, NodesOptions& options);

struct AskedNodes {
  std::vector<std::string> names;
  bool has_names = false;  // false if nobody has named the nodes
  bool is_counted = true;  // false if only `ranks` of read_nodes() can say how many ranks there are
  std::vector<int> ranks;  // on each node, positive; the first ranks are on the first node
};

// ranks: of the whole job, or 0 if only the nodes say it. If something is wrong, says it, and sets
// the exit status.
std::optional<AskedNodes> read_nodes(const NodesOptions& options, int ranks, int& status);

// Returns the network between these nodes.
std::optional<network::Network> read_network(const NodesOptions& options,
                                             const std::vector<std::string>& names, int& status);

}  // namespace nestbind::cli
