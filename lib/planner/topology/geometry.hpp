// SPDX-License-Identifier: BSD-3-Clause
// The geometry between a machine's slots, as in nestbind/topology.h, but without its checks.
#pragma once

#include <span>
#include <vector>

#include "machine/machine.hpp"
#include "machine/numbers.hpp"
#include "topology/coordinates.hpp"
#include "topology/interconnect.hpp"
#include "topology/levels.hpp"

namespace nestbind::topology {

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
