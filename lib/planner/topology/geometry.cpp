// SPDX-License-Identifier: BSD-3-Clause
#include "topology/geometry.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nestbind::topology {

Geometry::Geometry(const machine::Machine& machine, const machine::NumaNodes& nodes)
    : coordinates_(machine), levels_(machine), nodes_(nodes), interconnect_(nodes) {
  for (const machine::Slot& slot : machine.slots) {
    node_of_.push_back(slot.numa);
  }
  for (const auto& row : nodes_.distance) {
    farthest_ = std::max<double>(farthest_, *std::ranges::max_element(row));
  }
}

Unit Geometry::unit() const {
  if (nodes_.distance.empty()) {
    return Unit::kLevels;
  }
  return nodes_.in_ns ? Unit::kNanoseconds : Unit::kFirmware;
}

double Geometry::distance(int from, int to) const {
  if (nodes_.distance.empty()) {
    return levels(from, to);
  }
  const int a = interconnect_.place_of(node_of_[from]);
  const int b = interconnect_.place_of(node_of_[to]);
  return a < 0 || b < 0 ? farthest_ : nodes_.distance[a][b];
}

double Geometry::numa_factor(int from, int to) const {
  const int a = interconnect_.place_of(from);
  const int b = interconnect_.place_of(to);
  if (a < 0 || b < 0) {
    return -1;
  }
  if (a == b) {
    return 1;
  }
  const double own = nodes_.distance.empty() ? 0 : nodes_.distance[a][a];
  return own > 0 ? nodes_.distance[a][b] / own : -1;
}

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
