// SPDX-License-Identifier: BSD-3-Clause
// The distances between slots.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "topology/levels.hpp"

namespace nestbind::mapping {

// For each slot, a path of indices into Machine::nodes. The path begins at the machine, and leaves
// out objects with one child.
using Branches = std::vector<std::vector<int>>;
Branches branches_of(const machine::Machine& machine);

class Distances {
 public:
  explicit Distances(const machine::Machine& machine);

  // Returns the levels up to the smallest object that contains both slots (topology/levels.hpp). If
  // the distance of their NUMA nodes is known, multiplies the levels by a factor. The factor is the
  // nodes' distance (mean of both directions), divided by the least distance of any two nodes.
  double operator()(int a, int b) const {
    return table_.empty() ? compute(a, b)
                          : table_[(static_cast<std::size_t>(a) * branches_.size()) + b];
  }

  const Branches& branches() const { return branches_; }

 private:
  double compute(int a, int b) const;

  Branches branches_;
  topology::Levels levels_;
  std::vector<double> table_;  // distances between all slots; empty if there are too many slots
  std::vector<int> row_;       // for each slot, the row of its node in remote_, or -1
  std::vector<std::vector<double>> remote_;  // factors between nodes; empty if they are not known
};

}  // namespace nestbind::mapping
