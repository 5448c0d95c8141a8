// SPDX-License-Identifier: BSD-3-Clause
// The machine's own numbers of its objects: logical indices among all objects, usable or not, as
// lstopo(1) shows them without a mask. NUMA nodes have the operating system's numbers.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::machine {

// The number of the object around each processor; -1: there is none.
struct Numbers {
  std::vector<int> core;
  std::vector<int> l2;
  std::vector<int> l3;
  std::vector<int> package;
  std::vector<int> numa;          // the smallest NUMA node around it; of several, the first
  std::vector<int> numa_logical;  // its logical index
};

// The logical index of the smallest NUMA node around each processor, allowed or not; if several are
// equally small, the first; -1: none.
std::vector<int> smallest_numa_nodes(const Hardware& hardware);

// For the processors that may be used, in topology order. `whole` has all objects.
Numbers number_allowed(const Hardware& whole);

// The NUMA nodes of a machine, and the distances between them.

// Each NUMA node that is the smallest around some processor. Nodes without processors are left out.
struct NumaNodes {
  std::vector<int> numbers;  // as in Slot::numa, ascending
  std::vector<int> logical;  // their logical indices, by positions in `numbers`
  // Indexed by positions in `numbers`; empty: not reported.
  std::vector<std::vector<unsigned>> distance;
  bool in_ns = false;  // measured; otherwise in the firmware's units, in which the local distance
                       // is often 10
};

NumaNodes make_numa_nodes(const Hardware& whole);

}  // namespace nestbind::machine
