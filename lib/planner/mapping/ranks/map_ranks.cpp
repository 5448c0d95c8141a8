// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/map_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <queue>
#include <utility>

#include "mapping/ranks/halves.hpp"

namespace nestbind::mapping {

namespace {

RankOrder plain_order(int ranks) {
  RankOrder order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Places ranks one by one: the next is always the one that exchanges most with the placed ranks. It
// goes to the node with free slots where its cost is lowest.
RankOrder place_greedily(const RankGraph& graph, const RankSlots& slots) {
  constexpr int kFree = -1;
  std::vector<std::vector<int>> free = slots_of_nodes(slots);
  std::ranges::for_each(free,
                        [](auto& own) { std::ranges::reverse(own); });  // lowest is taken first
  RankOrder order(static_cast<std::size_t>(graph.ranks()), kFree);
  std::vector<double> drawn(order.size(), 0);
  std::priority_queue<std::pair<double, int>> next;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    next.push({0, -rank});
  }
  while (!next.empty()) {
    const auto [bytes, negative] = next.top();
    const int rank = -negative;
    next.pop();
    if (order[rank] != kFree || bytes != drawn[rank]) {
      continue;
    }
    int best = kFree;
    double least = 0;
    for (int node = 0; node < slots.network->nodes(); ++node) {
      if (free[node].empty()) {
        continue;
      }
      double cost = 0;
      for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
        const int partner = order[graph.other[at]];
        cost +=
            partner == kFree ? 0 : graph.bytes[at] * slots.network->hops(node, slots.node[partner]);
      }
      if (best == kFree || cost < least) {
        best = node;
        least = cost;
      }
    }
    order[rank] = free[best].back();
    free[best].pop_back();
    for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
      drawn[graph.other[at]] += graph.bytes[at];
      next.push({drawn[graph.other[at]], -graph.other[at]});
    }
  }
  return order;
}

// Divides whole nodes in halves. All nodes have as many slots.
void arrange_nodes(const RankProblem& problem, RankOrder& order) {
  const RankSlots& slots = problem.slots;
  const RankGraph between = graph_of_nodes(problem.graph, slots, order);
  move_nodes(
      slots,
      fill(places_of(*slots.network, plain_order(between.ranks())), between, graph_cut(between)),
      order);
}

std::optional<RankOrder> blocks_of(const RankProblem& problem) {
  const RankSlots& slots = problem.slots;
  const std::vector<int> sorted = sorted_places(places_of(slots));
  RankOrder best;
  double least = 0;
  for_each_strips(*problem.grid, [&](const std::vector<int>& positions) {
    RankOrder order(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      order[positions[i]] = sorted[i];
    }
    const double cut = bytes_between_nodes(problem.graph, slots, order);
    if (best.empty() || cut < least) {
      least = cut;
      best = std::move(order);
    }
  });
  if (!slots.network->is_flat() && are_alike(slots)) {
    RankOrder arranged = best;
    arrange_nodes(problem, arranged);
    if (cost_of(problem.graph, slots, arranged) < cost_of(problem.graph, slots, best)) {
      best = std::move(arranged);
    }
  }
  return best;
}

}  // namespace

std::optional<RankOrder> order_by(const RankProblem& problem, RankMethod method) {
  const Grid* const grid = problem.grid;
  switch (method) {
    case RankMethod::kBlocks:
      return grid == nullptr ? std::nullopt : blocks_of(problem);
    case RankMethod::kHalves:
      return fill(places_of(problem.slots), problem.graph,
                  grid == nullptr ? graph_cut(problem.graph) : grid_cut(*grid, problem.graph));
    case RankMethod::kGreedy:
      return place_greedily(problem.graph, problem.slots);
    default:
      return plain_order(problem.graph.ranks());
  }
}

RankMapping map_ranks(const RankProblem& problem, const std::vector<RankMethod>& methods) {
  // Exchanges do not make a bad order good, and they take long for it.
  constexpr double kHopeless = 1.5;
  const RankGraph& graph = problem.graph;
  const RankSlots& slots = problem.slots;
  RankMapping best;
  best.slot = plain_order(graph.ranks());
  best.cost_before = cost_of(graph, slots, best.slot);
  best.cost = best.cost_before;
  best.before = traffic_of(graph, slots, best.slot);
  best.after = best.before;
  struct Candidate {
    double cost;
    RankMethod method;
    RankOrder order;
  };
  std::vector<Candidate> candidates;
  for (const RankMethod method : methods) {
    if (auto order = order_by(problem, method)) {
      candidates.push_back({cost_of(graph, slots, *order), method, std::move(*order)});
    }
  }
  std::ranges::sort(candidates, {},
                    [](const Candidate& one) { return std::pair(one.cost, one.method); });
  for (Candidate& candidate : candidates) {
    if (candidate.cost > kHopeless * candidates.front().cost) {
      break;
    }
    if (!slots.network->is_flat()) {
      exchange_nodes(graph, slots, candidate.order);
    }
    exchange_ranks(graph, slots, candidate.order);
    const double cost = cost_of(graph, slots, candidate.order);
    RankTraffic after = traffic_of(graph, slots, candidate.order);
    if (cost < best.cost && after.between_nodes <= best.before.between_nodes &&
        after.hop_bytes <= best.before.hop_bytes &&
        after.busiest_load <= best.before.busiest_load) {
      best.cost = cost;
      best.after = std::move(after);
      best.method = candidate.method;
      best.slot = std::move(candidate.order);
    }
  }
  return best;
}

}  // namespace nestbind::mapping
