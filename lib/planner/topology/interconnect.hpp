// SPDX-License-Identifier: BSD-3-Clause
// The links between NUMA nodes, as computed from their distances.
#pragma once

#include <cstddef>
#include <vector>

#include "machine/numbers.hpp"

namespace nestbind::topology {

// kJoined: each node has a link to all its nearest nodes. These links may leave parts of the
// machine without a path to each other. A second round then links each part to the nearest other
// part. More rounds follow until a path joins all nodes. A link of the first round is one hop, a
// link of the second round is two hops, and so on. Links go in both directions. If distances are
// not known, each node has a link to all other nodes.
//
// kApart: only nearest nodes have links.
//
// Measured distances that differ by at most a tenth count as equal: measurements are not more
// exact.
enum class Parts { kJoined, kApart };

class Interconnect {
 public:
  // Linux has fewer nodes. If there are more nodes, the links are not known.
  static constexpr std::size_t kMostNodes = 1024;

  explicit Interconnect(const machine::NumaNodes& nodes, Parts parts = Parts::kJoined);

  // Returns the hops of the shortest path: 0 within a node, 1 between nearest nodes, -1 without a
  // path. from, to: as Slot::numa. If `from` or `to` is -1 (no node), the hops are those of the two
  // farthest nodes.
  int hops(int from, int to) const;

  // Returns the index of a node in NumaNodes, or -1 if there is no such node.
  int place_of(int node) const;

 private:
  std::vector<int> numbers_;
  std::vector<std::vector<int>> hops_;  // by indices; empty if each node has a link to all nodes
  int farthest_ = 1;
};

}  // namespace nestbind::topology
