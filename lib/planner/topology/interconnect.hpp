// SPDX-License-Identifier: BSD-3-Clause
// The links between NUMA nodes, as far as distances tell of them.
#pragma once

#include <cstddef>
#include <vector>

#include "machine/numbers.hpp"

namespace nestbind::topology {

// Each node has a link to all those that are nearest to it. Where that leaves parts of the machine
// without a way to each other, each part has links where it is nearest to another one, and so on
// until there is a way between all; such a link counts a hop more than those of the parts that it
// joins. Links go both ways. Where distances are not known, each node has a link to all.
//
// Parts without a way to each other are so only for who asks for that (kApart): then the links are
// the nearest ones alone.
//
// Measured distances count as equal within a tenth, as far as a measurement is reliable.
enum class Parts { kJoined, kApart };

class Interconnect {
 public:
  // More than Linux can have: of so many no links are known.
  static constexpr std::size_t kMostNodes = 1024;

  explicit Interconnect(const machine::NumaNodes& nodes, Parts parts = Parts::kJoined);

  // How many hops the shortest way has; 0 in a node, 1 between the nearest ones, -1 where there is
  // no way. node: as Slot::numa; -1, in no node, is as far from all nodes as two of them can be.
  int hops(int from, int to) const;

  // The place of a node in NumaNodes; -1: there is none of this number.
  int place_of(int node) const;

 private:
  std::vector<int> numbers_;
  std::vector<std::vector<int>> hops_;  // by places; empty: each has a link to all
  int farthest_ = 1;
};

}  // namespace nestbind::topology
