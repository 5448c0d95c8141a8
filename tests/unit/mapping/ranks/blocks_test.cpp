// SPDX-License-Identifier: BSD-3-Clause
// Blocks for grids, against cuts that were computed by hand.
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "mapping/ranks/map_ranks.hpp"

namespace nestbind::mapping {
namespace {

Grid grid_of(std::vector<int> lengths, bool is_closed) {
  const std::size_t dims = lengths.size();
  return {std::move(lengths), std::vector<bool>(dims, is_closed), std::vector<double>(dims, 1)};
}

RankSlots slots_on(const network::Network& network, int ranks, int each) {
  RankSlots slots;
  slots.network = &network;
  for (int rank = 0; rank < ranks; ++rank) {
    slots.node.push_back(rank / each);
  }
  return slots;
}

struct Case {
  std::vector<int> lengths;
  bool is_closed;
  int each;
  double rows, blocks;
};

TEST_CASE("the best blocks have the cut that was computed by hand") {
  for (const Case& known :
       {Case{{16, 16, 16}, true, 64, 5120, 3072}, Case{{16, 16, 16}, false, 64, 4608, 2304},
        Case{{16, 16}, true, 16, 256, 128}, Case{{8, 8}, true, 8, 64, 48},
        Case{{8, 8, 8}, true, 32, 640, 512}, Case{{16, 16, 16}, true, 128, 4608, 2560},
        Case{{24, 16, 16}, true, 48, 8448, 5120}, Case{{32, 32, 16}, true, 128, 18432, 10240},
        Case{{4, 4}, true, 4, 16, 16}}) {
    const Grid grid = grid_of(known.lengths, known.is_closed);
    const RankGraph graph = graph_of(grid);
    const auto network = network::Network::flat(grid.ranks() / known.each);
    const RankSlots slots = slots_on(network, grid.ranks(), known.each);
    RankOrder plain(static_cast<std::size_t>(grid.ranks()));
    std::iota(plain.begin(), plain.end(), 0);
    INFO(grid.ranks() << " ranks, " << known.each << " on a node");
    CHECK(traffic_of(graph, slots, plain).between_nodes == known.rows);
    const RankMapping found = map_ranks({graph, &grid, slots});
    CHECK(traffic_of(graph, slots, found.slot).between_nodes == known.blocks);
  }
}

}  // namespace
}  // namespace nestbind::mapping
