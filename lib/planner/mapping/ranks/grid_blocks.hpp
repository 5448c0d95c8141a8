// SPDX-License-Identifier: BSD-3-Clause
// Orders of a grid's positions by blocks.
#pragma once

#include <functional>
#include <vector>

#include "mapping/ranks/rank_graph.hpp"

namespace nestbind::mapping {

// Offers orders that go through the grid in strips, with all widths up to a few. If the lengths of
// the best block for a node divide the grid, one of these orders consists of such blocks. If no
// block of this size does, nodes get nearly blocks.
void for_each_strips(const Grid& grid,
                     const std::function<void(const std::vector<int>& positions)>& offer);

}  // namespace nestbind::mapping
