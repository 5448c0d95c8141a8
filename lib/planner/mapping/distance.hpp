// SPDX-License-Identifier: BSD-3-Clause
// The distances between slots, for all of lib/planner/mapping.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "topology/levels.hpp"

namespace nestbind::mapping {

// For each slot the objects around it that have several children with slots: indices into
// Machine::nodes, from the machine down.
using Branches = std::vector<std::vector<int>>;
Branches branches_of(const machine::Machine& machine);

class Distances {
 public:
  explicit Distances(const machine::Machine& machine);

  // 0 from a slot to itself. In a NUMA node: the levels up to the first object with both slots
  // (topology/levels.hpp). Between two nodes the levels are multiplied by the nodes' distance (the
  // mean of both directions), divided by the least distance of two nodes, if distances are known.
  double operator()(int a, int b) const {
    return table_.empty() ? compute(a, b)
                          : table_[(static_cast<std::size_t>(a) * branches_.size()) + b];
  }

  const Branches& branches() const { return branches_; }

 private:
  double compute(int a, int b) const;

  Branches branches_;
  topology::Levels levels_;
  std::vector<double> table_;                // of each slot to each slot; empty: too large
  std::vector<int> row_;                     // of a slot's node in remote_; -1: none
  std::vector<std::vector<double>> remote_;  // factors between nodes; empty: none known
};

}  // namespace nestbind::mapping
