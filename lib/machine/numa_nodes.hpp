// SPDX-License-Identifier: BSD-3-Clause
// The NUMA nodes of a machine, and how far they are from each other.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::machine {

// Those that are the smallest around some processor, allowed or not. Memory without processors of
// its own is none of them.
struct NumaNodes {
  std::vector<int> numbers;  // as Slot::numa has them, ascending
  // Between them, by their places in `numbers`; empty where the machine does not tell.
  std::vector<std::vector<unsigned>> distance;
  bool in_ns =
      false;  // measured; otherwise the firmware's units, in which a node's own is often 10
};

NumaNodes make_numa_nodes(const Hardware& whole);

}  // namespace nestbind::machine
