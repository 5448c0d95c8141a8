// SPDX-License-Identifier: BSD-3-Clause
// How far up the tree of a machine two slots meet.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace nestbind::topology {

class Levels {
 public:
  explicit Levels(const machine::Machine& machine);

  // How many levels lie below the smallest object that has both, where the tree is deepest; 0: it
  // is one slot. Objects with the same slots are one. What is in an object has fewer levels than
  // it, so that no way over a third slot has fewer. a, b: slots of the machine.
  int between(int a, int b) const;

 private:
  std::vector<machine::Node> nodes_;
  std::vector<int> below_;  // each node
};

}  // namespace nestbind::topology
