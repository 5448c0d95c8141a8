// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/distance.hpp"

#include <algorithm>

namespace nestbind::mapping {

namespace {

void add_branches(const machine::Machine& machine, int index, Branches& branches) {
  const machine::Node& node = machine.nodes[index];
  const bool has_several =
      node.children.empty() ? node.end - node.begin > 1 : node.children.size() > 1;
  for (int slot = node.begin; has_several && slot < node.end; ++slot) {
    branches[slot].push_back(index);
  }
  for (const int child : node.children) {
    add_branches(machine, child, branches);
  }
}

std::vector<std::vector<double>> factors_of(const std::vector<std::vector<unsigned>>& distance) {
  double least = 0;
  for (std::size_t i = 0; i < distance.size(); ++i) {
    for (std::size_t j = 0; j < distance.size(); ++j) {
      const double between = distance[i][j];
      least = i != j && (least == 0 || between < least) ? between : least;
    }
  }
  std::vector<std::vector<double>> factors(distance.size(),
                                           std::vector<double>(distance.size(), 1));
  for (std::size_t i = 0; i < distance.size() && least > 0; ++i) {
    for (std::size_t j = 0; j < distance.size(); ++j) {
      const double both = static_cast<double>(distance[i][j]) + distance[j][i];
      factors[i][j] = i == j ? 1 : both / (2 * least);
    }
  }
  return factors;
}

}  // namespace

Branches branches_of(const machine::Machine& machine) {
  Branches branches(machine.slots.size());
  add_branches(machine, 0, branches);
  return branches;
}

Distances::Distances(const machine::Machine& machine)
    : branches_(branches_of(machine)),
      levels_(machine),
      remote_(factors_of(machine.numa_distance)) {
  for (const machine::Slot& slot : machine.slots) {
    const bool has_row = slot.numa_row >= 0 && slot.numa_row < static_cast<int>(remote_.size());
    row_.push_back(has_row ? slot.numa_row : -1);
  }
  constexpr std::size_t kMostInTable = 2048;  // slots; the table for them has 32 MB
  if (machine.slots.size() <= kMostInTable) {
    const int slots = static_cast<int>(machine.slots.size());
    table_.reserve(machine.slots.size() * machine.slots.size());
    for (int a = 0; a < slots; ++a) {
      for (int b = 0; b < slots; ++b) {
        table_.push_back(compute(a, b));
      }
    }
  }
}

double Distances::compute(int a, int b) const {
  const double factor = row_[a] < 0 || row_[b] < 0 ? 1 : remote_[row_[a]][row_[b]];
  return levels_.between(a, b) * factor;
}

}  // namespace nestbind::mapping
