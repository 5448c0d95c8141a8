// SPDX-License-Identifier: BSD-3-Clause
#include "topology/geometry.hpp"

#include <algorithm>

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

}  // namespace nestbind::topology
