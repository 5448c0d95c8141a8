// SPDX-License-Identifier: BSD-3-Clause
// The links between NUMA nodes, as far as distances show them.
#pragma once

#include <cstddef>
#include <vector>

#include "machine/numbers.hpp"

namespace nestbind::topology {

// Each node has a link to all its nearest nodes. If these links leave parts of the machine without
// a way to each other, each part gets links to its nearest other part, and so on, until there is a
// way between all nodes. Such a link counts one hop more than the links of the parts that it joins.
// Links go both ways. If distances are not known, each node has a link to all others.
//
// kApart: only nearest nodes have links. So parts may have no way to each other.
//
// Measured distances that differ by at most a tenth are equal here: no measurement is more exact.
enum class Parts { kJoined, kApart };

class Interconnect {
 public:
  // Linux has fewer nodes. With more nodes the links are not known.
  static constexpr std::size_t kMostNodes = 1024;

  explicit Interconnect(const machine::NumaNodes& nodes, Parts parts = Parts::kJoined);

  // The hops of the shortest way: 0 within a node, 1 between nearest nodes, -1: there is no way.
  // from, to: as Slot::numa. Without a node (-1), the hops are those of the two farthest nodes.
  int hops(int from, int to) const;

  // The index of a node in NumaNodes; -1: there is no such node.
  int place_of(int node) const;

 private:
  std::vector<int> numbers_;
  std::vector<std::vector<int>> hops_;  // by indices; empty: each node has a link to all
  int farthest_ = 1;
};

}  // namespace nestbind::topology
