// SPDX-License-Identifier: BSD-3-Clause
// The machine's own numbers of its objects: logical indices among all that it has, whatever a
// process may use of them, as lstopo(1) shows without a mask. NUMA nodes have the operating
// system's numbers, which the kernel's calls for memory take.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::machine {

// Of each processor; -1: in none.
struct Numbers {
  std::vector<int> core;
  std::vector<int> l2;
  std::vector<int> l3;
  std::vector<int> package;
  std::vector<int> numa;          // of the smallest NUMA node around it, the first of equal ones
  std::vector<int> numa_logical;  // its logical index
};

// The logical index of the smallest NUMA node around each processor, allowed or not, the first of
// equal ones; -1: none.
std::vector<int> smallest_numa_nodes(const Hardware& hardware);

// Those of the processors that may be used, in topology order. `whole` has all objects.
Numbers number_allowed(const Hardware& whole);

// The NUMA nodes of a machine, and how far they are from each other.

// Those that are the smallest around some processor, allowed or not. Memory without processors of
// its own is none of them.
struct NumaNodes {
  std::vector<int> numbers;  // as Slot::numa has them, ascending
  std::vector<int> logical;  // their logical indices, by their places in `numbers`
  // Between them, by their places in `numbers`; empty where the machine does not tell.
  std::vector<std::vector<unsigned>> distance;
  bool in_ns =
      false;  // measured; otherwise the firmware's units, in which a node's own is often 10
};

NumaNodes make_numa_nodes(const Hardware& whole);

}  // namespace nestbind::machine
