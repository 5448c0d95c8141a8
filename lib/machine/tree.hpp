// SPDX-License-Identifier: BSD-3-Clause
// The objects above the slots.
#pragma once

#include <vector>

#include "machine/hardware.hpp"
#include "machine/machine.hpp"

namespace nestbind::machine {

// For each processor how many slots begin before it, and behind the last all of them. A core's
// first slot begins with its first processor, so this turns an object's processors into its slots.
using SlotsBefore = std::vector<int>;

// Machine::nodes: without objects that have no slots, or the same as their only child.
std::vector<Node> make_tree(const Hardware& hardware, const SlotsBefore& slots_before);

// Machine::topmost.
Partition make_topmost(const Hardware& hardware, const SlotsBefore& slots_before);

}  // namespace nestbind::machine
