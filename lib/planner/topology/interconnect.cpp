// SPDX-License-Identifier: BSD-3-Clause
#include "topology/interconnect.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace nestbind::topology {
namespace {

using machine::NumaNodes;

// The distance of two nodes is the smaller of both directions.
class Links {
 public:
  Links(const NumaNodes& nodes, Parts parts)
      : nodes_(nodes),
        count_(nodes.numbers.size()),
        hops_of_(count_, std::vector<int>(count_, 0)),
        part_of_(count_) {
    std::iota(part_of_.begin(), part_of_.end(), 0);
    const int most = parts == Parts::kApart ? 1 : std::numeric_limits<int>::max();
    for (int hops = 1; hops <= most && !is_one_part(); ++hops) {
      join_parts(hops);
    }
  }

  // Returns the hops of a link, or 0 if there is no link.
  int hops_of(std::size_t a, std::size_t b) const { return hops_of_[a][b]; }

 private:
  std::uint64_t distance(std::size_t a, std::size_t b) const {
    return std::min(nodes_.distance[a][b], nodes_.distance[b][a]);
  }

  bool is_one_part() const {
    return std::ranges::adjacent_find(part_of_, std::not_equal_to<>()) == part_of_.end();
  }

  void join_parts(int hops) {
    std::vector<std::uint64_t> nearest(count_, std::numeric_limits<std::uint64_t>::max());
    each_pair_apart([&](std::size_t a, std::size_t b) {
      nearest[part_of_[a]] = std::min(nearest[part_of_[a]], distance(a, b));
    });
    each_pair_apart([&](std::size_t a, std::size_t b) {
      const std::uint64_t least = nearest[part_of_[a]];
      if (distance(a, b) <= (nodes_.in_ns ? least + least / 10 : least)) {
        hops_of_[a][b] = hops;
        hops_of_[b][a] = hops;
      }
    });
    number_parts();
  }

  template <typename Action>
  void each_pair_apart(Action action) const {
    for (std::size_t a = 0; a < count_; ++a) {
      for (std::size_t b = 0; b < count_; ++b) {
        if (part_of_[a] != part_of_[b]) {
          action(a, b);
        }
      }
    }
  }

  void number_parts() {
    std::vector<bool> is_known(count_, false);
    for (std::size_t first = 0; first < count_; ++first) {
      std::vector<std::size_t> reached;
      if (!is_known[first]) {
        reached.push_back(first);
        is_known[first] = true;
      }
      for (std::size_t next = 0; next < reached.size(); ++next) {
        part_of_[reached[next]] = first;
        for (std::size_t other = 0; other < count_; ++other) {
          if (hops_of_[reached[next]][other] > 0 && !is_known[other]) {
            is_known[other] = true;
            reached.push_back(other);
          }
        }
      }
    }
  }

  const NumaNodes& nodes_;
  std::size_t count_;
  std::vector<std::vector<int>> hops_of_;
  std::vector<std::size_t> part_of_;
};

// Finds the hops from one node to each node by Dijkstra's method; -1 if there is no path.
std::vector<int> hops_from(std::size_t start, const Links& links, std::size_t count) {
  constexpr int kFar = std::numeric_limits<int>::max();
  std::vector<int> hops(count, kFar);
  std::vector<bool> is_final(count, false);
  hops[start] = 0;
  for (std::size_t done = 0; done < count; ++done) {
    std::size_t nearest = count;
    for (std::size_t node = 0; node < count; ++node) {
      if (!is_final[node] && (nearest == count || hops[node] < hops[nearest])) {
        nearest = node;
      }
    }
    is_final[nearest] = true;
    if (hops[nearest] == kFar) {
      break;
    }
    for (std::size_t other = 0; other < count; ++other) {
      if (const int link = links.hops_of(nearest, other); link > 0) {
        hops[other] = std::min(hops[other], hops[nearest] + link);
      }
    }
  }
  std::ranges::replace(hops, kFar, -1);
  return hops;
}

}  // namespace

Interconnect::Interconnect(const NumaNodes& nodes, Parts parts) : numbers_(nodes.numbers) {
  if (nodes.distance.empty() || numbers_.size() > kMostNodes) {
    return;
  }
  const Links links(nodes, parts);
  for (std::size_t node = 0; node < numbers_.size(); ++node) {
    hops_.push_back(hops_from(node, links, numbers_.size()));
    farthest_ = std::max(farthest_, *std::ranges::max_element(hops_.back()));
  }
}

int Interconnect::place_of(int node) const {
  const auto at = std::ranges::lower_bound(numbers_, node);
  return at != numbers_.end() && *at == node ? static_cast<int>(at - numbers_.begin()) : -1;
}

int Interconnect::hops(int from, int to) const {
  if (from == to) {
    return 0;
  }
  const int a = place_of(from);
  const int b = place_of(to);
  return a < 0 || b < 0 || hops_.empty() ? farthest_ : hops_[a][b];
}

}  // namespace nestbind::topology
