// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/rank_slots.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace nestbind::mapping {

std::vector<std::vector<int>> slots_of_nodes(const RankSlots& slots) {
  std::vector<std::vector<int>> of(static_cast<std::size_t>(slots.network->nodes()));
  for (int slot = 0; slot < slots.count(); ++slot) {
    of[slots.node[slot]].push_back(slot);
  }
  return of;
}

bool are_alike(const RankSlots& slots) {
  const auto on = slots_of_nodes(slots);
  return std::ranges::all_of(on, [&](const auto& own) { return own.size() == on[0].size(); });
}

double bytes_between_nodes(const RankGraph& graph, const RankSlots& slots, const RankOrder& order) {
  double bytes = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      const bool is_between = slots.node[order[rank]] != slots.node[order[graph.other[at]]];
      bytes += is_between ? graph.bytes[at] / 2 : 0;
    }
  }
  return bytes;
}

double cost_of(const RankGraph& graph, const RankSlots& slots, const RankOrder& order) {
  double cost = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      if (graph.other[at] > rank) {
        cost += graph.bytes[at] * slots.distance(order[rank], order[graph.other[at]]);
      }
    }
  }
  return cost;
}

std::map<std::pair<int, int>, double> traffic_of_nodes(const RankGraph& graph,
                                                       const RankSlots& slots,
                                                       const RankOrder& order) {
  std::map<std::pair<int, int>, double> pairs;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      const int one = slots.node[order[rank]];
      const int two = slots.node[order[graph.other[at]]];
      if (graph.other[at] > rank && one != two) {
        pairs[std::minmax(one, two)] += graph.bytes[at];
      }
    }
  }
  return pairs;
}

RankTraffic traffic_of(const RankGraph& graph, const RankSlots& slots, const RankOrder& order) {
  const network::Network& network = *slots.network;
  RankTraffic traffic;
  traffic.bytes = std::accumulate(graph.bytes.begin(), graph.bytes.end(), 0.0) / 2;
  traffic.of.assign(static_cast<std::size_t>(network.nodes()), 0);
  std::vector<double> loads(static_cast<std::size_t>(network.links()), 0);
  traffic.pairs = traffic_of_nodes(graph, slots, order);
  for (const auto& [nodes, bytes] : traffic.pairs) {
    const auto [one, two] = nodes;
    traffic.between_nodes += bytes;
    traffic.hop_bytes += bytes * network.hops(one, two);
    traffic.of[one] += bytes;
    traffic.of[two] += bytes;
    const auto use = [&loads, half = bytes / 2](int link) { loads[link] += half; };
    network.for_each_link(one, two, use);
    network.for_each_link(two, one, use);
  }
  if (!traffic.of.empty()) {
    traffic.heaviest = static_cast<int>(std::ranges::max_element(traffic.of) - traffic.of.begin());
  }
  if (const auto most = std::ranges::max_element(loads); most != loads.end() && *most > 0) {
    traffic.busiest_link = static_cast<int>(most - loads.begin());
    traffic.busiest_load = *most;
  }
  return traffic;
}

}  // namespace nestbind::mapping
