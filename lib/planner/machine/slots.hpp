// SPDX-License-Identifier: BSD-3-Clause
// Chooses the used cores, and divides them into slots ("Slots" in nestbind-spec(7)).
#pragma once

#include <vector>

#include "machine/machine_topology.hpp"

namespace nestbind::machine {

// A processor without a core is a Core, too.
struct Core {
  int begin = 0;
  int end = 0;
  int speed = -1;  // rank of the core's kind; all ranks are equal if kinds are not known
  int threads() const { return end - begin; }
};

// An unused core has 0 slots.
std::vector<int> slots_of_cores(const std::vector<Core>& cores, const Choice& choice);

struct Cut {
  int begin = 0;
  int end = 0;
  int core = 0;
};

// `slots` is the result of slots_of_cores.
std::vector<Cut> cut_cores(const std::vector<Core>& cores, const std::vector<int>& slots);

}  // namespace nestbind::machine
