// SPDX-License-Identifier: BSD-3-Clause
#include "probe/patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <utility>

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

Matrix hops_between(const std::vector<NodeSubject>& nodes,
                    const std::vector<std::vector<unsigned>>& distance) {
  std::vector<std::vector<unsigned>> own;
  for (const NodeSubject& from : nodes) {
    own.emplace_back();
    for (const NodeSubject& to : nodes) {
      if (!distance.empty()) {
        own.back().push_back(
            distance[static_cast<std::size_t>(from.row)][static_cast<std::size_t>(to.row)]);
      }
    }
  }
  return count_hops(distance.empty() ? std::vector<std::vector<unsigned>>() : own, nodes.size());
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
