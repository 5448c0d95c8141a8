// SPDX-License-Identifier: BSD-3-Clause
// Where each slot is: numbers of objects, from the outermost to the innermost.
#pragma once

#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace nestbind::topology {

// A kind of object, and how many of them there are in one of the kind before, at most.
struct Dimension {
  machine::Kind kind;
  int size;
};

// Boards, packages, NUMA nodes, L3 caches, cores, and the slots of a core, the larger ones first,
// as far as the machine has them. A kind of which there is only one in each object of the one
// before is left out. In its object, one is numbered in topology order; slots in none of a kind
// count as in one more. After TopoManager (A. Bhatele, L. Kale, 2009), whose dimensions are those
// of a torus.
class Coordinates {
 public:
  explicit Coordinates(const machine::Machine& machine);

  const std::vector<Dimension>& dimensions() const { return dimensions_; }

  // A number for each dimension, in [0, size). slot: in [0, slots of the machine).
  std::span<const int> of(int slot) const;

  // The slot with these; -1 where none has them: objects need not be alike, and a mask leaves
  // holes.
  int slot(std::span<const int> coordinates) const;

 private:
  std::vector<Dimension> dimensions_;
  std::vector<int> all_;     // of each slot, one after the other
  std::vector<int> sorted_;  // the slots by their coordinates
};

}  // namespace nestbind::topology
