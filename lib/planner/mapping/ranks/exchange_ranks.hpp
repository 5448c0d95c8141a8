// SPDX-License-Identifier: BSD-3-Clause
// Lowers the cost of an order by exchanging two ranks, or all ranks of two nodes.
#pragma once

#include "mapping/ranks/rank_slots.hpp"

namespace nestbind::mapping {

// The most distances that exchanges compute.
inline constexpr long kMostDistances = 200'000'000;

// Exchanges a rank with one on a node of its neighbours, while this lowers the cost.
void exchange_ranks(const RankGraph& graph, const RankSlots& slots, RankOrder& order);

// The traffic of nodes as a graph: node i has the ranks that `order` puts on node i.
RankGraph graph_of_nodes(const RankGraph& graph, const RankSlots& slots, const RankOrder& order);

// Moves the ranks of node i to node to[i], which has as many slots.
void move_nodes(const RankSlots& slots, const std::vector<int>& to, RankOrder& order);

// Exchanges the ranks of two nodes that have as many slots, while this lowers the hop-bytes.
void exchange_nodes(const RankGraph& graph, const RankSlots& slots, RankOrder& order);

}  // namespace nestbind::mapping
