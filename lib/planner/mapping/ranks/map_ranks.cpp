// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/map_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <queue>
#include <utility>

#include "mapping/ranks/exchange_ranks.hpp"
#include "mapping/ranks/grid_blocks.hpp"
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
  constexpr int kNone = -1;
  const int nodes = slots.network->nodes();
  std::vector<std::vector<int>> free(static_cast<std::size_t>(nodes));
  for (int slot = slots.count(); slot-- > 0;) {
    free[slots.node[slot]].push_back(slot);
  }
  RankOrder order(static_cast<std::size_t>(graph.ranks()), kNone);
  std::vector<double> drawn(order.size(), 0);
  std::priority_queue<std::pair<double, int>> next;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    next.push({0, -rank});
  }
  while (!next.empty()) {
    const auto [bytes, negative] = next.top();
    const int rank = -negative;
    next.pop();
    if (order[rank] != kNone || bytes != drawn[rank]) {
      continue;
    }
    int best = kNone;
    double least = 0;
    for (int node = 0; node < nodes; ++node) {
      if (free[node].empty()) {
        continue;
      }
      double cost = 0;
      for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
        const int partner = order[graph.other[at]];
        cost += partner == kNone ? 0
                                 : graph.bytes[at] * slots.network->hops(node, slots.node[partner]);
      }
      if (best == kNone || cost < least) {
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

// Gives each rank without a slot of its own a free one, on the nearest node.
bool settle(const RankSlots& slots, RankOrder& order) {
  std::vector<bool> is_taken(order.size(), false);
  std::vector<std::size_t> without;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const int slot = order[rank];
    if (slot < 0 || slot >= slots.count()) {
      return false;
    }
    if (is_taken[slot]) {
      without.push_back(rank);
    }
    is_taken[slot] = true;
  }
  for (const std::size_t rank : without) {
    int best = -1;
    for (int slot = 0; slot < slots.count(); ++slot) {
      if (!is_taken[slot] && (best < 0 || slots.distance(order[rank], slot) <
                                              slots.distance(order[rank], best))) {
        best = slot;
      }
    }
    is_taken[best] = true;
    order[rank] = best;
  }
  return true;
}

// The orders of least cost, for more strips than can be improved.
void keep_best(const RankProblem& problem, std::vector<RankOrder>& orders, std::size_t most) {
  std::vector<std::pair<double, std::size_t>> costs;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    costs.emplace_back(cost_of(problem.graph, problem.slots, orders[i]), i);
  }
  std::ranges::sort(costs);
  std::vector<RankOrder> best;
  for (std::size_t i = 0; i < std::min(most, costs.size()); ++i) {
    best.push_back(std::move(orders[costs[i].second]));
  }
  orders = std::move(best);
}

std::vector<RankOrder> orders_by(const RankProblem& problem, RankMethod method) {
  constexpr std::size_t kMostImproved = 2;
  const Grid* const grid = problem.grid;
  std::vector<RankOrder> orders;
  switch (method) {
    case RankMethod::kPlain:
      return {plain_order(problem.graph.ranks())};
    case RankMethod::kBlocks:
      if (grid != nullptr) {
        orders = block_orders(*grid, problem.slots);
      }
      break;
    case RankMethod::kStrips:
      if (grid != nullptr) {
        orders = strip_orders(*grid, problem.slots);
      }
      break;
    case RankMethod::kHalves:
      return {fill(
          places_of(problem.slots), problem.graph,
          grid == nullptr ? graph_cut(problem.graph) : grid_cut(*grid, problem.graph))};
    case RankMethod::kGreedy:
      return {place_greedily(problem.graph, problem.slots)};
    case RankMethod::kMapper:
      break;
  }
  keep_best(problem, orders, kMostImproved);
  return orders;
}

}  // namespace

std::optional<RankOrder> order_by(const RankProblem& problem, RankMethod method) {
  std::vector<RankOrder> orders = orders_by(problem, method);
  return orders.empty() ? std::nullopt : std::optional(std::move(orders.front()));
}

RankMapping map_ranks(const RankProblem& problem, const RankMapper& mapper) {
  RankMapping best;
  best.slot = plain_order(problem.graph.ranks());
  best.cost_before = cost_of(problem.graph, problem.slots, best.slot);
  best.cost = best.cost_before;
  const RankTraffic before = traffic_of(problem.graph, problem.slots, best.slot);
  const auto offer = [&](RankOrder order, RankMethod method) {
    if (!problem.slots.network->is_flat()) {
      exchange_nodes(problem.graph, problem.slots, order);
    }
    exchange_ranks(problem.graph, problem.slots, order);
    const double cost = cost_of(problem.graph, problem.slots, order);
    if (cost >= best.cost) {
      return;
    }
    const RankTraffic after = traffic_of(problem.graph, problem.slots, order);
    if (after.between_nodes <= before.between_nodes && after.hop_bytes <= before.hop_bytes) {
      best.cost = cost;
      best.method = method;
      best.slot = std::move(order);
    }
  };
  for (const RankMethod method : {RankMethod::kPlain, RankMethod::kBlocks, RankMethod::kStrips,
                                  RankMethod::kHalves, RankMethod::kGreedy}) {
    for (RankOrder& order : orders_by(problem, method)) {
      offer(std::move(order), method);
    }
  }
  if (mapper) {
    auto order = mapper(problem.graph, problem.slots);
    best.has_refused = !order || order->size() != best.slot.size() || !settle(problem.slots, *order);
    if (!best.has_refused) {
      offer(std::move(*order), RankMethod::kMapper);
    }
  }
  return best;
}

}  // namespace nestbind::mapping
