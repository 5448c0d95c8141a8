// SPDX-License-Identifier: BSD-3-Clause
// The machine's own numbers of its objects: their logical indices among all objects, allowed or
// not. An unbound lstopo(1) shows the same numbers. NUMA nodes have the operating system's numbers.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::machine {

// The number of the object around each processor, or -1 if there is none.
struct Numbers {
  std::vector<int> core;
  std::vector<int> l2;
  std::vector<int> l3;
  std::vector<int> package;
  std::vector<int> numa;  // the smallest NUMA node, or the first of several equally small nodes
  std::vector<int> numa_logical;
};

// Returns the logical index of the smallest NUMA node around each processor (allowed or not), or
// -1.
std::vector<int> smallest_numa_nodes(const Hardware& hardware);

// Returns the numbers around the allowed processors, in topology order.
Numbers number_allowed(const Hardware& whole);

// The NUMA nodes that are the smallest node of some processor, and the distances between them.
struct NumaNodes {
  std::vector<int> numbers;  // as in Slot::numa, ascending
  std::vector<int> logical;  // the nodes' logical indices, in the order of `numbers`
  // Indexed by positions in `numbers`.
  std::vector<std::vector<unsigned>> distance;
  bool in_ns = false;  // if false, in the firmware's units: the local distance is often 10
};

NumaNodes make_numa_nodes(const Hardware& whole);

}  // namespace nestbind::machine
