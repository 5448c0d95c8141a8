// SPDX-License-Identifier: BSD-3-Clause
#include "topology/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nestbind::topology {
namespace {

using Nearness = std::pair<double, int>;

std::vector<Nearness> nearness_of(const Geometry& geometry, int root, std::span<const int> slots) {
  std::vector<Nearness> nearness;
  nearness.reserve(slots.size());
  for (const int slot : slots) {
    nearness.emplace_back(geometry.distance(root, slot), geometry.levels(root, slot));
  }
  return nearness;
}

}  // namespace

std::vector<int> nearest_first(const Geometry& geometry, int root, std::span<const int> slots) {
  const std::vector<Nearness> nearness = nearness_of(geometry, root, slots);
  std::vector<int> order(slots.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::less<>(),
                    [&](int place) { return std::pair(nearness[place], place); });
  return order;
}

int closest(const Geometry& geometry, int root, std::span<const int> slots) {
  const std::vector<Nearness> nearness = nearness_of(geometry, root, slots);
  const auto least = std::ranges::min_element(nearness);
  return least == nearness.end() ? -1 : static_cast<int>(least - nearness.begin());
}

}  // namespace nestbind::topology
