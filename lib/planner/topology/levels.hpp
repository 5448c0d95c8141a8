// SPDX-License-Identifier: BSD-3-Clause
// The number of levels between two slots in the tree.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace nestbind::topology {

class Levels {
 public:
  explicit Levels(const machine::Machine& machine);

  // Returns the depth of the tree below the smallest object that contains both slots; 0 for the
  // same slot. Objects with the same slots count as one object. The triangle inequality is true for
  // levels. a, b: slots of the machine.
  int between(int a, int b) const;

 private:
  std::vector<machine::Node> nodes_;
  std::vector<int> below_;  // the levels below each node
};

}  // namespace nestbind::topology
