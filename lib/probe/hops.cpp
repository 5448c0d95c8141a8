// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <limits>

#include "probe/survey.hpp"

namespace nestbind::probe {

std::vector<std::vector<int>> count_hops(const std::vector<std::vector<unsigned>>& distance,
                                         std::size_t nodes) {
  constexpr int kFar = std::numeric_limits<int>::max() / 2;
  std::vector<std::vector<int>> hops(nodes, std::vector<int>(nodes, kFar));
  for (std::size_t i = 0; i < nodes; ++i) {
    unsigned least = std::numeric_limits<unsigned>::max();
    for (std::size_t j = 0; j < nodes && !distance.empty(); ++j) {
      least = i == j ? least : std::min(least, distance[i][j]);
    }
    hops[i][i] = 0;
    for (std::size_t j = 0; j < nodes; ++j) {
      if (i != j && (distance.empty() || distance[i][j] == least)) {
        hops[i][j] = hops[j][i] = 1;
      }
    }
  }
  for (std::size_t by = 0; by < nodes; ++by) {
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        hops[i][j] = std::min(hops[i][j], hops[i][by] + hops[by][j]);
      }
    }
  }
  for (auto& row : hops) {
    std::ranges::replace(row, kFar, -1);
  }
  return hops;
}

}  // namespace nestbind::probe
