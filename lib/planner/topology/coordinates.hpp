// SPDX-License-Identifier: BSD-3-Clause
// The coordinates of a slot are the numbers of the objects that contain the slot. The outermost
// object is first.
#pragma once

#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace nestbind::topology {

// size: one more than the largest coordinate.
struct Dimension {
  machine::Kind kind;
  int size;
};

// The possible dimensions are boards, packages, NUMA nodes, L3 caches, cores, and slots. The
// largest objects are first. Dimensions of size 1 are left out. Within an object, numbers follow
// topology order. Slots that are in no object of a kind form one more object. After TopoManager (A.
// Bhatele, L. Kale, 2009), whose dimensions are those of a torus.
class Coordinates {
 public:
  explicit Coordinates(const machine::Machine& machine);

  const std::vector<Dimension>& dimensions() const { return dimensions_; }

  // Returns a number for each dimension, in [0, size). slot: in [0, number of the machine's slots).
  std::span<const int> of(int slot) const;

  // Returns the slot with these coordinates, or -1 if no usable slot has these coordinates.
  int slot(std::span<const int> coordinates) const;

 private:
  std::vector<Dimension> dimensions_;
  std::vector<int> all_;     // the coordinates of slot 0, of slot 1, ...
  std::vector<int> sorted_;  // the slots by their coordinates
};

}  // namespace nestbind::topology
