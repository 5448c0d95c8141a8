// SPDX-License-Identifier: BSD-3-Clause
#include "probe/patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <utility>

#include "machine/numa_nodes.hpp"
#include "topology/interconnect.hpp"

namespace nestbind::probe {

namespace {

using Matrix = std::vector<std::vector<int>>;

Pattern by_twos(std::string name, const std::vector<int>& cores) {
  Pattern pattern{.name = std::move(name), .pairs = {}};
  for (std::size_t i = 0; i + 1 < cores.size(); i += 2) {
    pattern.pairs.push_back({cores[i], cores[i + 1]});
  }
  return pattern;
}

// By their places. Parts of a machine whose nearest nodes are all their own have no partners in
// others: what lies between them is not told by these distances.
Matrix hops_between(const std::vector<NodeSubject>& nodes,
                    const std::vector<std::vector<unsigned>>& distance) {
  machine::NumaNodes of_nodes;
  const int count = static_cast<int>(nodes.size());
  for (int node = 0; node < count; ++node) {
    of_nodes.numbers.push_back(node);
  }
  for (std::size_t from = 0; from < nodes.size() && !distance.empty(); ++from) {
    auto& row = of_nodes.distance.emplace_back();
    for (const NodeSubject& to : nodes) {
      row.push_back(
          distance[static_cast<std::size_t>(nodes[from].row)][static_cast<std::size_t>(to.row)]);
    }
  }
  const topology::Interconnect interconnect(of_nodes, topology::Parts::kApart);
  Matrix hops(nodes.size());
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      hops[static_cast<std::size_t>(from)].push_back(interconnect.hops(from, to));
    }
  }
  return hops;
}

// Nodes by twos that are so far apart.
std::vector<std::pair<std::size_t, std::size_t>> partners(const Matrix& hops, int wanted) {
  std::vector<std::pair<std::size_t, std::size_t>> best;
  // Greedy from each node on: of few nodes, one of the beginnings has most partners.
  for (std::size_t begin = 0; begin < hops.size(); ++begin) {
    std::vector<bool> is_taken(hops.size(), false);
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t step = 0; step < hops.size(); ++step) {
      const std::size_t a = (begin + step) % hops.size();
      for (std::size_t away = 1; away < hops.size() && !is_taken[a]; ++away) {
        const std::size_t b = (a + away) % hops.size();
        if (!is_taken[b] && hops[a][b] == wanted) {
          is_taken[a] = is_taken[b] = true;
          found.emplace_back(a, b);
        }
      }
    }
    if (found.size() > best.size()) {
      best = std::move(found);
    }
  }
  return best;
}

}  // namespace

std::vector<Pattern> patterns_of(const std::vector<int>& cores,
                                 const std::vector<NodeSubject>& nodes,
                                 const std::vector<std::vector<unsigned>>& distance,
                                 std::uint64_t seed) {
  std::vector<Pattern> patterns{by_twos("near", cores)};
  std::vector<int> shuffled = cores;
  std::mt19937_64 random(seed);
  std::ranges::shuffle(shuffled, random);
  patterns.push_back(by_twos("random", shuffled));

  const Matrix hops = hops_between(nodes, distance);
  int most = 0;
  for (const auto& row : hops) {
    most = std::max(most, *std::ranges::max_element(row));
  }
  for (int wanted = 1; wanted <= most; ++wanted) {
    Pattern pattern{.name = std::to_string(wanted) + (wanted == 1 ? " hop" : " hops"), .pairs = {}};
    for (const auto& [a, b] : partners(hops, wanted)) {
      const std::size_t each = std::min(nodes[a].processors.size(), nodes[b].processors.size());
      for (std::size_t i = 0; i < each; ++i) {
        pattern.pairs.push_back({nodes[a].processors[i], nodes[b].processors[i]});
      }
    }
    patterns.push_back(std::move(pattern));
  }
  std::erase_if(patterns, [](const Pattern& pattern) { return pattern.pairs.size() < 2; });
  return patterns;
}

}  // namespace nestbind::probe
