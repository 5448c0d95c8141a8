// SPDX-License-Identifier: BSD-3-Clause
// The geometry between a machine's slots, as in nestbind/topology.h, but without its checks.
#pragma once

#include <span>
#include <vector>

#include "machine/machine.hpp"
#include "machine/numbers.hpp"
#include "topology/interconnect.hpp"

namespace nestbind::topology {

// The coordinates of a slot are the numbers of the objects that contain the slot. The outermost
// object is first.
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

// The number of levels between two slots in the tree.
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

enum class Unit { kLevels, kFirmware, kNanoseconds };

class Geometry {
 public:
  Geometry(const machine::Machine& machine, const machine::NumaNodes& nodes);

  int slots() const { return static_cast<int>(node_of_.size()); }
  const Coordinates& coordinates() const { return coordinates_; }
  const machine::NumaNodes& nodes() const { return nodes_; }

  // Return the hops between the NUMA nodes of two slots, or between two nodes (as Slot::numa).
  int hops(int a, int b) const { return interconnect_.hops(node_of_[a], node_of_[b]); }
  int hops_between_nodes(int from, int to) const { return interconnect_.hops(from, to); }

  int levels(int a, int b) const { return levels_.between(a, b); }

  // Returns the distance between the nodes of two slots in unit(): nanoseconds if measured, else
  // the firmware's units, else levels. A slot without a node has the largest distance.
  Unit unit() const;
  double distance(int from, int to) const;

  // Returns a node's latency to another node's memory, divided by its latency to its own memory.
  // Returns -1 if there is no such node, or distances are not known. from, to: as Slot::numa.
  double numa_factor(int from, int to) const;

 private:
  std::vector<int> node_of_;
  Coordinates coordinates_;
  Levels levels_;
  machine::NumaNodes nodes_;
  Interconnect interconnect_;
  double farthest_ = 0;
};

// Sorts `slots` by distance from `root`, then by levels, then by position in `slots`. Returns the
// positions. After TopoManager's sortRanksByHops.
std::vector<int> nearest_first(const Geometry& geometry, int root, std::span<const int> slots);

// Returns the first position in the result of nearest_first(), or -1 if `slots` is empty.
int closest(const Geometry& geometry, int root, std::span<const int> slots);

}  // namespace nestbind::topology
