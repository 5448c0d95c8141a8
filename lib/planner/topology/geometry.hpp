// SPDX-License-Identifier: BSD-3-Clause
// What lies between the slots of a machine: what nestbind/topology.h promises, without its checks.
#pragma once

#include <span>
#include <vector>

#include "machine/machine.hpp"
#include "machine/numbers.hpp"
#include "topology/coordinates.hpp"
#include "topology/interconnect.hpp"
#include "topology/levels.hpp"

namespace nestbind::topology {

// How a distance between slots is told.
enum class Unit { kLevels, kFirmware, kNanoseconds };

class Geometry {
 public:
  // nodes: of the topology that the machine's slots are from.
  Geometry(const machine::Machine& machine, const machine::NumaNodes& nodes);

  int slots() const { return static_cast<int>(node_of_.size()); }
  const Coordinates& coordinates() const { return coordinates_; }
  const machine::NumaNodes& nodes() const { return nodes_; }

  // Between the NUMA nodes of two slots, or two nodes by Slot::numa.
  int hops(int a, int b) const { return interconnect_.hops(node_of_[a], node_of_[b]); }
  int hops_between_nodes(int from, int to) const { return interconnect_.hops(from, to); }

  // Up the tree to the smallest object that has both slots.
  int levels(int a, int b) const { return levels_.between(a, b); }

  // From one slot's node to another's, in unit(): nanoseconds where that was measured, otherwise
  // the firmware's units, otherwise levels. A slot that is in no node is as far away as any can be.
  Unit unit() const;
  double distance(int from, int to) const;

  // The latency from one node to the memory of another, over that of its own; 1 for one and the
  // same. -1 where there is no such node, or distances are not known. from, to: as Slot::numa.
  double numa_factor(int from, int to) const;

 private:
  std::vector<int> node_of_;  // each slot's NUMA node
  Coordinates coordinates_;
  Levels levels_;
  machine::NumaNodes nodes_;
  Interconnect interconnect_;
  double farthest_ = 0;  // distance between nodes
};

// The order of `slots` as places in it, the nearest to `root` first: by distance from it, then by
// levels, then as they stand there. After TopoManager's sortRanksByHops.
std::vector<int> nearest_first(const Geometry& geometry, int root, std::span<const int> slots);

// The first of that order; -1 where there is none.
int closest(const Geometry& geometry, int root, std::span<const int> slots);

}  // namespace nestbind::topology
