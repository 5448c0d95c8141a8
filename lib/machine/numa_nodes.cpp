// SPDX-License-Identifier: BSD-3-Clause
#include "machine/numa_nodes.hpp"

#include <algorithm>

#include "machine/numbers.hpp"

namespace nestbind::machine {

NumaNodes make_numa_nodes(const Hardware& whole) {
  NumaNodes nodes;
  nodes.numbers = smallest_numa_nodes(whole);
  std::ranges::sort(nodes.numbers);
  const auto doubled = std::ranges::unique(nodes.numbers);
  nodes.numbers.erase(doubled.begin(), doubled.end());
  std::erase(nodes.numbers, -1);
  if (whole.numa_distance.empty()) {
    return nodes;
  }
  nodes.in_ns = whole.numa_distance_in_ns;
  for (const int from : nodes.numbers) {
    auto& row = nodes.distance.emplace_back();
    for (const int to : nodes.numbers) {
      row.push_back(whole.numa_distance[from][to]);
    }
  }
  return nodes;
}

}  // namespace nestbind::machine
