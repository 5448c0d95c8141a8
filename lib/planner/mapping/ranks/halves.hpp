// SPDX-License-Identifier: BSD-3-Clause
// Divides places and what is to fill them in halves, again and again (dual recursive
// bipartitioning, F. Pellegrini, 1994): nearby places get items that exchange data.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "mapping/ranks/rank_slots.hpp"

namespace nestbind::mapping {

// Slots, or whole nodes. Places with the same key are alike.
struct Places {
  std::size_t width = 0;   // numbers of a key
  std::size_t metric = 0;  // so many first numbers are coordinates of a torus or mesh
  std::vector<int> wraps;  // the length of each such coordinate in a torus, 0 in a mesh
  std::vector<int> keys;
  int count() const { return static_cast<int>(keys.size() / width); }
  std::span<const int> key(int place) const {
    return {&keys[static_cast<std::size_t>(place) * width], width};
  }
};

// The key of a slot: the node's coordinates, then the objects inside the node.
Places places_of(const RankSlots& slots);
Places places_of(const network::Network& network, const std::vector<int>& nodes);

// The places in the order of their keys.
std::vector<int> sorted_places(const Places& places);

// Moves `left` of the items to the front, so that few data cross. drawn: for each rank, how much
// less it costs on the left because of ranks outside this part, in bytes that cross. Empty if that
// makes no difference.
using Cut =
    std::function<void(std::span<int> items, std::size_t left, const std::vector<double>& drawn)>;

// Returns the place of each rank of the graph. There are as many ranks as places.
std::vector<int> fill(const Places& places, const RankGraph& graph, const Cut& cut);

// Cuts a part of a grid across the dimension where least data cross; the longest, of equals.
Cut grid_cut(const Grid& grid, const RankGraph& graph);

// Cuts a part of any graph: several levels of coarser graphs, and moves of ranks across the cut.
Cut graph_cut(const RankGraph& graph);

}  // namespace nestbind::mapping
