// SPDX-License-Identifier: BSD-3-Clause
// How far up a machine's tree the smallest common object of two slots is.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace nestbind::topology {

class Levels {
 public:
  explicit Levels(const machine::Machine& machine);

  // The depth of the tree below the smallest object that contains both slots; 0: the same slot.
  // Objects with the same slots are one object. An inner object has fewer levels than the object
  // around it, so a way over a third slot does not have fewer levels. a, b: slots of the machine.
  int between(int a, int b) const;

 private:
  std::vector<machine::Node> nodes_;
  std::vector<int> below_;  // the levels below each node
};

}  // namespace nestbind::topology
