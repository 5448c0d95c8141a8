// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "mapping/ranks/rank_slots.hpp"

namespace nestbind::mapping {

namespace {

// A gain below this part of the cost may be a rounding error.
constexpr double kNothing = 1e-9;

// The most distances that exchanges compute.
constexpr long kMostDistances = 200'000'000;

class Exchange {
 public:
  Exchange(const RankGraph& graph, const RankSlots& slots, RankOrder& order)
      : graph_(graph), slots_(slots), order_(order), rank_at_(order.size()) {
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      rank_at_[order[rank]] = static_cast<int>(rank);
    }
    least_ = kNothing * cost_of(graph, slots, order);
  }

  bool has_time() const { return distances_ > 0; }

  // What `rank` would gain at this slot, if all others stayed.
  double gain(int rank, int slot) {
    double gain = 0;
    for (long at = graph_.begin[rank]; at < graph_.begin[rank + 1]; ++at) {
      const int partner = order_[graph_.other[at]];
      gain += graph_.bytes[at] *
              (slots_.distance(order_[rank], partner) - slots_.distance(slot, partner));
    }
    distances_ -= 2 * (graph_.begin[rank + 1] - graph_.begin[rank]) + 1;
    return gain;
  }

  // Exchanges `rank` with the rank at the slot among `some` where most is gained.
  bool exchange(int rank, const std::vector<int>& some) {
    int best = -1;
    double most = least_;
    int node = -1;
    double own = 0;
    for (const int slot : some) {
      if (slots_.node[slot] != node || slots_.levels > 0) {
        own = gain(rank, slot);
        node = slots_.node[slot];
      }
      const int other = rank_at_[slot];
      if (own <= 0 || other == rank) {
        continue;  // then the other rank must gain: it has its own turn
      }
      const double both = own + gain(other, order_[rank]) - twice(rank, other);
      if (both > most) {
        most = both;
        best = other;
      }
    }
    if (best < 0) {
      return false;
    }
    std::swap(order_[rank], order_[best]);
    rank_at_[order_[rank]] = rank;
    rank_at_[order_[best]] = best;
    return true;
  }

 private:
  // Two partners stay as far apart as they are: both gains had them at the same slot.
  double twice(int one, int two) const {
    const auto begin = graph_.other.begin() + graph_.begin[one];
    const auto end = graph_.other.begin() + graph_.begin[one + 1];
    const auto found = std::lower_bound(begin, end, two);
    return found == end || *found != two ? 0
                                         : 2 * graph_.bytes[found - graph_.other.begin()] *
                                               slots_.distance(order_[one], order_[two]);
  }

  const RankGraph& graph_;
  const RankSlots& slots_;
  RankOrder& order_;
  std::vector<int> rank_at_;
  double least_ = 0;
  long distances_ = kMostDistances;
};

}  // namespace

void exchange_ranks(const RankGraph& graph, const RankSlots& slots, RankOrder& order) {
  const auto on = slots_of_nodes(slots);
  Exchange exchange(graph, slots, order);
  std::vector<int> nodes;
  for (bool is_better = true; is_better && exchange.has_time();) {
    is_better = false;
    for (int rank = 0; rank < graph.ranks() && exchange.has_time(); ++rank) {
      nodes.clear();
      for (long at = graph.begin[rank]; at < graph.begin[rank + 1]; ++at) {
        nodes.push_back(slots.node[order[graph.other[at]]]);
      }
      std::ranges::sort(nodes);
      nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
      for (const int node : nodes) {
        is_better = exchange.exchange(rank, on[node]) || is_better;
      }
    }
  }
}

RankGraph graph_of_nodes(const RankGraph& graph, const RankSlots& slots, const RankOrder& order) {
  std::vector<Message> messages;
  for (const auto& [nodes, bytes] : traffic_of_nodes(graph, slots, order)) {
    messages.push_back({nodes.first, nodes.second, bytes});
  }
  return graph_of(slots.network->nodes(), std::move(messages));
}

void move_nodes(const RankSlots& slots, const std::vector<int>& to, RankOrder& order) {
  const auto on = slots_of_nodes(slots);
  std::vector<int> moved(order.size());  // the new slot of each slot
  for (std::size_t node = 0; node < on.size(); ++node) {
    for (std::size_t i = 0; i < on[node].size(); ++i) {
      moved[on[node][i]] = on[to[node]][i];
    }
  }
  for (int& slot : order) {
    slot = moved[slot];
  }
}

void exchange_nodes(const RankGraph& graph, const RankSlots& slots, RankOrder& order) {
  const auto on = slots_of_nodes(slots);
  const int nodes = slots.network->nodes();
  const RankGraph between = graph_of_nodes(graph, slots, order);
  RankSlots whole;
  whole.network = slots.network;
  RankOrder node_of(static_cast<std::size_t>(nodes));  // where each node's ranks go
  std::iota(node_of.begin(), node_of.end(), 0);
  whole.node = node_of;
  std::vector<std::vector<int>> alike;  // by the number of slots
  for (int node = 0; node < nodes; ++node) {
    const std::size_t size = on[node].size();
    alike.resize(std::max(alike.size(), size + 1));
    alike[size].push_back(node);
  }
  Exchange exchange(between, whole, node_of);
  for (bool is_better = true; is_better && exchange.has_time();) {
    is_better = false;
    for (int node = 0; node < nodes && exchange.has_time(); ++node) {
      is_better = exchange.exchange(node, alike[on[node].size()]) || is_better;
    }
  }
  move_nodes(slots, node_of, order);
}

}  // namespace nestbind::mapping
