// SPDX-License-Identifier: BSD-3-Clause
// Who of several slots is near.
#pragma once

#include <span>
#include <vector>

#include "topology/geometry.hpp"

namespace nestbind::topology {

// The order of `slots` as places in it, the nearest to `root` first: by distance from it, then by
// levels, then as they stand there. After TopoManager's sortRanksByHops.
std::vector<int> nearest_first(const Geometry& geometry, int root, std::span<const int> slots);

// The first of that order; -1 where there is none.
int closest(const Geometry& geometry, int root, std::span<const int> slots);

}  // namespace nestbind::topology
