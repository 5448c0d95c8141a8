// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "balance/across/grow.hpp"

namespace nestbind::balance::across {

namespace {

double hops(const Crowd& crowd, int from, int to) {
  if (crowd.hops == nullptr) {
    return from == to ? 0 : 1;
  }
  return crowd.hops[static_cast<std::ptrdiff_t>(from) * crowd.nodes + to];
}

// The nodes with which an object exchanges messages: the first kMost different ones.
struct Partners {
  static constexpr int kMost = 16;
  int count = 0;
  int node[kMost];
  double messages[kMost];

  void find(const Crowd& crowd, const int* place, int object) {
    count = 0;
    for (int k = crowd.first[object]; k < crowd.first[object + 1]; ++k) {
      const int there = crowd.other[k] < 0 ? -1 - crowd.other[k] : place[crowd.other[k]];
      int at = 0;
      while (at < count && node[at] != there) {
        ++at;
      }
      if (at == kMost || crowd.other[k] == object) {
        continue;
      }
      if (at == count) {
        node[count] = there;
        messages[count++] = 0;
      }
      messages[at] += crowd.messages[k];
    }
  }
  double cost_on(const Crowd& crowd, int here) const {
    double cost = 0;
    for (int i = 0; i < count; ++i) {
      cost += messages[i] * hops(crowd, here, node[i]);
    }
    return cost;
  }
  // The messages to a node, less those to the best other one.
  double held_on(int here) const {
    double own = 0;
    double most = 0;
    for (int i = 0; i < count; ++i) {
      double& of = node[i] == here ? own : most;
      of = std::max(of, messages[i]);
    }
    return own - most;
  }
};

class Giving {
 public:
  Giving(const Crowd& crowd, const Prices& prices, int* node)
      : crowd_(crowd), prices_(prices), node_(node) {}

  bool begin() {
    const auto count = index(crowd_.count);
    const auto nodes = index(crowd_.nodes);
    if (!start_.resize(count) || !order_.resize(count) || !cost_.resize(count) ||
        !first_.fill(nodes + 1, 0) || !load_.resize(nodes) || !heavy_.reserve(nodes) ||
        !light_.reserve(nodes)) {
      return false;
    }
    std::copy(node_, node_ + crowd_.count, start_.data());
    for (int i = 0; i < crowd_.count; ++i) {
      ++first_[index(node_[i]) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    Grow<int> next;
    if (!next.resize(nodes)) {
      return false;
    }
    std::copy(first_.begin(), first_.end() - 1, next.begin());
    for (int i = 0; i < crowd_.count; ++i) {
      order_[index(next[index(node_[i])]++)] = i;
    }
    double all = 0;
    double capacity = 0;
    for (int node = 0; node < crowd_.nodes; ++node) {
      all += crowd_.load[node];
      capacity += crowd_.capacity[node];
    }
    mean_ = all / capacity;
    return true;
  }

  double mean() const { return mean_; }
  double heaviest() const {
    double most = 0;
    for (int node = 0; node < crowd_.nodes; ++node) {
      most = std::max(most, crowd_.load[node] / crowd_.capacity[node]);
    }
    return most;
  }

  // Returns the number of moves, or -1 if some node stays above the limit.
  int keep(double limit) {
    std::copy(start_.begin(), start_.end(), node_);
    std::copy(crowd_.load, crowd_.load + crowd_.nodes, load_.data());
    limit_ = limit;
    moved_ = 0;
    heavy_.clear();
    for (int node = 0; node < crowd_.nodes; ++node) {
      if (excess(node) > 0) {
        heavy_.push(node);
      }
    }
    std::sort(heavy_.begin(), heavy_.end(), [&](int a, int b) {
      return excess(a) > excess(b) || (excess(a) == excess(b) && a < b);
    });
    for (const int node : heavy_) {
      if (!relieve(node)) {
        return -1;
      }
    }
    return moved_;
  }

 private:
  double excess(int node) const { return load_[index(node)] - limit_ * crowd_.capacity[node]; }
  bool has_room(int node, double weight) const { return excess(node) + weight <= 0; }

  int* begin_of(int node) { return order_.data() + first_[index(node)]; }

  // Only nodes that give objects are sorted, and only once.
  void sort(int node) {
    int* const begin = begin_of(node);
    int* const end = begin_of(node + 1);
    if (begin != end && (sorted_.size() == 0 || sorted_[index(node)] == 0)) {
      sorted_.resize(index(crowd_.nodes));
      sorted_[index(node)] = 1;
      sort_by_cost(crowd_, prices_, start_.data(), begin, static_cast<int>(end - begin),
                   cost_.data());
    }
  }

  // Gives the cheapest objects, until one object is enough.
  bool relieve(int node) {
    sort(node);
    find_light(node);
    int* const begin = begin_of(node);
    int* const end = begin_of(node + 1);
    double heaviest = 0;
    for (const int* object = begin; object != end; ++object) {
      heaviest = std::max(heaviest, crowd_.weight[*object]);
    }
    bool has_failed = false;
    for (const int* object = begin; object != end && excess(node) > 0; ++object) {
      if (heaviest >= excess(node) && !has_failed) {
        has_failed = !give_enough(node);
      }
      const double weight = crowd_.weight[*object];
      if (weight > 0 && weight < excess(node)) {
        give(*object, node);
      }
    }
    return excess(node) <= 0 || give_enough(node);
  }

  // Gives one object, after which the node is within the limit: the cheapest, and of these the
  // lightest.
  bool give_enough(int node) {
    int best = -1;
    const auto price = [&](int object) { return cost_[index(object)] * crowd_.weight[object]; };
    double roomiest = 0;
    for (const int to : light_) {
      roomiest = std::min(roomiest, excess(to));
    }
    for (const int* object = begin_of(node); object != begin_of(node + 1); ++object) {
      const double weight = crowd_.weight[*object];
      if (node_[*object] == node && weight > 0 && weight >= excess(node) &&
          roomiest + weight <= 0 &&
          (best < 0 || price(*object) < price(best) ||
           (price(*object) <= price(best) && weight < crowd_.weight[best]))) {
        best = *object;
      }
    }
    return best >= 0 && give(best, node);
  }

  // The nodes below the limit, the nearest first.
  void find_light(int node) {
    light_.clear();
    for (int to = 0; to < crowd_.nodes; ++to) {
      if (excess(to) < 0) {
        light_.push(to);
      }
    }
    if (crowd_.hops != nullptr) {
      std::sort(light_.begin(), light_.end(), [&](int a, int b) {
        const double hops_a = hops(crowd_, node, a);
        const double hops_b = hops(crowd_, node, b);
        return hops_a < hops_b || (hops_a <= hops_b && a < b);
      });
    }
  }

  bool give(int object, int from) {
    const int to = target(object);
    if (to < 0) {
      return false;
    }
    node_[object] = to;
    load_[index(from)] -= crowd_.weight[object];
    load_[index(to)] += crowd_.weight[object];
    ++moved_;
    return true;
  }

  int target(int object) {
    const double weight = crowd_.weight[object];
    // Of the nearest nodes with room, the one with the least room.
    int best = -1;
    for (const int to : light_) {
      if (best >= 0 && crowd_.hops != nullptr &&
          hops(crowd_, node_[object], to) > hops(crowd_, node_[object], best)) {
        break;
      }
      best = has_room(to, weight) && (best < 0 || excess(to) > excess(best)) ? to : best;
    }
    if (best < 0 || crowd_.first == nullptr || crowd_.first[object] == crowd_.first[object + 1]) {
      return best;
    }
    Partners partners;
    partners.find(crowd_, node_, object);
    double least = partners.cost_on(crowd_, best);
    for (int i = 0; i < partners.count; ++i) {
      const int to = partners.node[i];
      const double cost = partners.cost_on(crowd_, to);
      if (to != node_[object] && cost < least && has_room(to, weight)) {
        least = cost;
        best = to;
      }
    }
    return best;
  }

  const Crowd& crowd_;
  const Prices& prices_;
  int* const node_;
  Grow<int> start_;  // the node of each object before the call
  Grow<int> order_;  // the objects of each node
  Grow<int> first_;
  Grow<double> cost_;
  Grow<double> load_;
  Grow<int> heavy_;
  Grow<int> light_;
  Grow<char> sorted_;
  double mean_ = 0;
  double limit_ = 0;
  int moved_ = 0;
};

}  // namespace

void sort_by_cost(const Crowd& crowd, const Prices& prices, const int* node, int* object, int count,
                  double* cost) {
  for (int i = 0; i < count; ++i) {
    const int at = object[i];
    double price = prices.per_byte * crowd.bytes[at];
    if (crowd.first != nullptr && crowd.first[at] != crowd.first[at + 1]) {
      Partners partners;
      partners.find(crowd, node, at);
      price += prices.per_message * partners.held_on(node[at]);
    }
    cost[at] = price / std::max(crowd.weight[at], 1e-300);
  }
  std::sort(object, object + count, [&](int a, int b) {
    return cost[a] != cost[b]                   ? cost[a] < cost[b]
           : crowd.weight[a] != crowd.weight[b] ? crowd.weight[a] > crowd.weight[b]
                                                : a < b;
  });
}

int assign_to_nodes(const Crowd& crowd, const Prices& prices, int* node) {
  constexpr double kStep = 0.01;
  Giving giving(crowd, prices, node);
  if (!giving.begin()) {
    return -1;
  }
  const double mean = giving.mean();
  const double least = mean * (1 + prices.tolerance);
  if (!(mean > 0) || giving.heaviest() <= least) {
    return 0;
  }
  double kept = std::ceil((giving.heaviest() - least) / (mean * kStep));
  double missed = -1;
  while (kept - missed > 1) {
    const double steps = missed < 0 ? 0 : std::floor((kept + missed) / 2);
    (giving.keep(least + steps * kStep * mean) < 0 ? missed : kept) = steps;
  }
  return std::max(0, giving.keep(least + kept * kStep * mean));
}

}  // namespace nestbind::balance::across
