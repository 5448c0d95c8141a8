// SPDX-License-Identifier: BSD-3-Clause
// The numbers of cores, caches and packages are logical indices, as an unbound lstopo(1) shows
// them. Objects that the process must not use are counted, too. NUMA nodes have the operating
// system's numbers.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::machine {

// The number of the object that contains each processor, or -1 if there is no such object.
struct Numbers {
  std::vector<int> core;
  std::vector<int> l2;
  std::vector<int> l3;
  std::vector<int> package;
  std::vector<int> numa;  // the smallest NUMA node, or the first of several equally small nodes
  std::vector<int> numa_logical;
};

// Returns the logical index of each processor's smallest NUMA node, or -1. The result includes
// processors that are not allowed.
std::vector<int> smallest_numa_nodes(const Hardware& hardware);

// The result has only the allowed processors, in topology order.
Numbers number_allowed(const Hardware& whole);

// NUMA nodes and their distances. If nodes nest, only the smallest node of a processor is used.
struct NumaNodes {
  std::vector<int> numbers;  // as in Slot::numa, ascending
  std::vector<int> logical;  // the nodes' logical indices, in the order of `numbers`
  // Indexed by positions in `numbers`.
  std::vector<std::vector<unsigned>> distance;
  bool in_ns = false;  // if false, distances are in the firmware's unit
};

NumaNodes make_numa_nodes(const Hardware& whole);

}  // namespace nestbind::machine
