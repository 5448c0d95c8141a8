// SPDX-License-Identifier: BSD-3-Clause
// The machine's own numbers of its objects: logical indices among all that it has, whatever a
// process may use of them, as lstopo(1) shows without a mask.
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
  std::vector<int> numa;  // of the smallest NUMA node around it, the first of equal ones
};

// The smallest NUMA node around each processor, allowed or not, the first of equal ones; -1: none.
std::vector<int> smallest_numa_nodes(const Hardware& hardware);

// Those of the processors that may be used, in topology order. `whole` has all objects.
Numbers number_allowed(const Hardware& whole);

}  // namespace nestbind::machine
