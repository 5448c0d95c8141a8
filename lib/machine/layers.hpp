// SPDX-License-Identifier: BSD-3-Clause
// Objects of one kind that may nest: boards, and NUMA nodes.
#pragma once

#include <array>
#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::machine {

// In nominal order, from small to large.
enum class Grain { kCore, kL1, kL2, kL3, kL4, kL5, kDie, kNuma, kPackage, kBoard };
inline constexpr int kGrains = 10;

// For each processor its object in a layer, -1: in none. Objects of a layer do not overlap.
using Layer = std::vector<int>;

// The objects of one grain, a layer in another below it. Objects with the same processors are there
// once.
using Layers = std::vector<Layer>;

// For each grain the layers of a machine, of all its processors. NUMA nodes have their logical
// indices as numbers.
std::array<Layers, kGrains> make_layers(const Hardware& hardware);

// For each of `processors` the smallest object around it.
Layer smallest_of(const Layers& layers, int processors);

}  // namespace nestbind::machine
