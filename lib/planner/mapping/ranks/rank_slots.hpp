// SPDX-License-Identifier: BSD-3-Clause
// Where the ranks of a job may be: slots on nodes, and the distances between them.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "mapping/ranks/rank_graph.hpp"
#include "network/network.hpp"

namespace nestbind::mapping {

struct RankSlots {
  const network::Network* network = nullptr;
  std::vector<int> node;   // of each slot
  std::size_t levels = 0;  // objects inside a node, such as package and NUMA node
  std::vector<int> inner;  // `levels` numbers for each slot, the outermost object first

  int count() const { return static_cast<int>(node.size()); }
  // Different nodes: the hops. Same node: at most kInside, a part of it for each level up to the
  // first common object.
  static constexpr double kInside = 0.1;
  double distance(int a, int b) const {
    if (node[a] != node[b]) {
      return network->hops(node[a], node[b]);
    }
    for (std::size_t level = 0; level < levels; ++level) {
      if (inner[static_cast<std::size_t>(a) * levels + level] !=
          inner[static_cast<std::size_t>(b) * levels + level]) {
        return kInside * static_cast<double>(levels - level) / static_cast<double>(levels);
      }
    }
    return 0;
  }
};

// The slot of each rank.
using RankOrder = std::vector<int>;

// The slots of each node, in ascending order.
std::vector<std::vector<int>> slots_of_nodes(const RankSlots& slots);

// Whether all nodes of the network have as many slots.
bool are_alike(const RankSlots& slots);

double bytes_between_nodes(const RankGraph& graph, const RankSlots& slots, const RankOrder& order);

// Sum of bytes times distance.
double cost_of(const RankGraph& graph, const RankSlots& slots, const RankOrder& order);

// The bytes between two different nodes, the smaller number first.
std::map<std::pair<int, int>, double> traffic_of_nodes(const RankGraph& graph,
                                                       const RankSlots& slots,
                                                       const RankOrder& order);

struct RankTraffic {
  double bytes = 0;  // of all pairs
  double between_nodes = 0;
  double hop_bytes = 0;                         // bytes between nodes times hops
  std::map<std::pair<int, int>, double> pairs;  // bytes of two nodes, the smaller number first
  std::vector<double> of;                       // what each node exchanges with others
  int heaviest = 0;                             // the node that exchanges most
  // The link with the most load, if each pair sends half of its bytes in each direction. -1 without
  // links.
  int busiest_link = -1;
  double busiest_load = 0;
};
RankTraffic traffic_of(const RankGraph& graph, const RankSlots& slots, const RankOrder& order);

// The next functions are in exchange_ranks.cpp.

// Exchanges a rank with one on a node of its neighbours, while this lowers the cost.
void exchange_ranks(const RankGraph& graph, const RankSlots& slots, RankOrder& order);

// The traffic of nodes as a graph: node i has the ranks that `order` puts on node i.
RankGraph graph_of_nodes(const RankGraph& graph, const RankSlots& slots, const RankOrder& order);

// Moves the ranks of node i to node to[i], which has as many slots.
void move_nodes(const RankSlots& slots, const std::vector<int>& to, RankOrder& order);

// Exchanges the ranks of two nodes that have as many slots, while this lowers the hop-bytes.
void exchange_nodes(const RankGraph& graph, const RankSlots& slots, RankOrder& order);

}  // namespace nestbind::mapping
