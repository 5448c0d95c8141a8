// SPDX-License-Identifier: BSD-3-Clause
// Which cores are used, and how they are cut into slots (semantics of "Slots" in nestbind-spec(7)).
#pragma once

#include <vector>

#include "machine/machine_topology.hpp"

namespace nestbind::machine {

// A core, or a processor without one: processors [begin, end), the same number of threads.
struct Core {
  int begin = 0;
  int end = 0;
  int speed = -1;  // rank of its kind; the same for all where kinds are not known
  int threads() const { return end - begin; }
};

// For each core, in topology order, how many slots it gives; 0: it is not used.
std::vector<int> slots_of_cores(const std::vector<Core>& cores, const Choice& choice);

// The processors [begin, end) of a slot, and the index of its core.
struct Cut {
  int begin = 0;
  int end = 0;
  int core = 0;
};

// All slots, in topology order. `slots` as slots_of_cores returns it.
std::vector<Cut> cut_cores(const std::vector<Core>& cores, const std::vector<int>& slots);

}  // namespace nestbind::machine
