// SPDX-License-Identifier: BSD-3-Clause
// Orders of a grid's positions by blocks: the ranks of each switch, node, package are a box.
#pragma once

#include <optional>
#include <vector>

#include "mapping/ranks/rank_slots.hpp"

namespace nestbind::mapping {

// The bytes between blocks of this shape. Each length divides the grid's.
double cut_of_blocks(const Grid& grid, const std::vector<int>& block);

// Returns the best blocks for all levels together, in which each level's groups of slots are alike.
// Returns several orders for a torus or mesh, because the cost of hops is not known before. Empty
// if nodes have different numbers of slots, or no block of a node divides the grid.
std::vector<RankOrder> block_orders(const Grid& grid, const RankSlots& slots);

// Orders that go through the grid in strips, for nodes that no block fits. Strips have all widths
// up to a few.
std::vector<RankOrder> strip_orders(const Grid& grid, const RankSlots& slots);

}  // namespace nestbind::mapping
