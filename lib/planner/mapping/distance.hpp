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

  // The levels up to the first object with both slots (topology/levels.hpp). Between two NUMA nodes
  // with known distances, they are multiplied by a factor: the distance of the two nodes (mean of
  // both directions), divided by the least distance of any two nodes.
  double operator()(int a, int b) const {
    return table_.empty() ? compute(a, b)
                          : table_[(static_cast<std::size_t>(a) * branches_.size()) + b];
  }

  const Branches& branches() const { return branches_; }

 private:
  double compute(int a, int b) const;

  Branches branches_;
  topology::Levels levels_;
  std::vector<double> table_;                // distances between all slots; empty: too many slots
  std::vector<int> row_;                     // the row of a slot's node in remote_; -1: none
  std::vector<std::vector<double>> remote_;  // factors between nodes; empty: none known
};

}  // namespace nestbind::mapping
