// SPDX-License-Identifier: BSD-3-Clause
// Properties of every order: against the plain order, and against all permutations of small jobs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <vector>

#include "mapping/ranks/halves.hpp"
#include "mapping/ranks/map_ranks.hpp"

namespace nestbind::mapping {
namespace {

using network::Form;
using network::Kind;
using network::Network;

using Random = std::mt19937;

int below(Random& random, int end) {
  return static_cast<int>(random() % static_cast<unsigned>(end));
}

RankOrder plain_of(int ranks) {
  RankOrder plain(static_cast<std::size_t>(ranks));
  std::iota(plain.begin(), plain.end(), 0);
  return plain;
}

Network any_network(Random& random, int nodes) {
  switch (below(random, 6)) {
    case 0:
      return Network::flat(nodes);
    case 1:
      return Network::regular({Kind::kTree, {3, 2, nodes}}, nodes);
    case 2:
      return Network::regular({Kind::kTree, {nodes, 2}}, nodes);
    case 3:
      return Network::regular({Kind::kTorus, {(nodes + 1) / 2, 2}}, nodes);
    case 4:
      return Network::regular({Kind::kMesh, {2, 2, nodes}}, nodes);
    default:
      return Network::regular({Kind::kDragonfly, {nodes, 2, 1}}, nodes);
  }
}

RankSlots any_slots(Random& random, const Network& network, int ranks) {
  RankSlots slots;
  slots.network = &network;
  for (int rank = 0; rank < ranks; ++rank) {
    slots.node.push_back(below(random, network.nodes()));
  }
  if (below(random, 2) == 0) {
    std::ranges::sort(slots.node);
  }
  slots.levels = static_cast<std::size_t>(below(random, 3));
  for (std::size_t i = 0; i < slots.levels * slots.node.size(); ++i) {
    slots.inner.push_back(below(random, 2));
  }
  return slots;
}

RankGraph any_graph(Random& random, int ranks) {
  std::vector<Message> messages;
  const int count = below(random, 4 * ranks + 1);
  for (int i = 0; i < count; ++i) {
    messages.push_back({below(random, ranks), below(random, ranks), below(random, 100) / 4.0});
  }
  return graph_of(ranks, messages);
}

Grid any_grid(Random& random) {
  Grid grid;
  const int dims = 1 + below(random, 3);
  for (int d = 0; d < dims; ++d) {
    grid.lengths.push_back(1 + below(random, 6));
    grid.is_closed.push_back(below(random, 2) == 0);
    grid.weights.push_back(1 + below(random, 3));
  }
  grid.stencil = static_cast<Stencil>(below(random, 3));
  return grid;
}

void check(const RankProblem& problem) {
  const int ranks = problem.graph.ranks();
  const RankMapping found = map_ranks(problem);
  RankOrder sorted = found.slot;
  std::ranges::sort(sorted);
  REQUIRE(sorted == plain_of(ranks));  // so each node keeps its number of ranks
  const RankTraffic before = traffic_of(problem.graph, problem.slots, plain_of(ranks));
  const RankTraffic after = traffic_of(problem.graph, problem.slots, found.slot);
  CHECK(after.between_nodes <= before.between_nodes);
  CHECK(after.hop_bytes <= before.hop_bytes);
  CHECK(after.busiest_load <= before.busiest_load);
  CHECK(found.cost <= found.cost_before);
  CHECK(found.cost == Approx(cost_of(problem.graph, problem.slots, found.slot)));
  CHECK(found.slot == map_ranks(problem).slot);  // each process of a job finds the same
}

TEST_CASE("an order is a permutation, never worse than the plain order, and always the same") {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const int nodes = 1 + below(random, 9);
    const Network network = any_network(random, nodes);
    if (round % 2 == 0) {
      const int ranks = 1 + below(random, 60);
      const RankSlots slots = any_slots(random, network, ranks);
      check({any_graph(random, ranks), nullptr, slots});
    } else {
      const Grid grid = any_grid(random);
      const RankSlots slots = any_slots(random, network, grid.ranks());
      check({graph_of(grid), &grid, slots});
    }
  }
}

TEST_CASE("jobs of eight ranks are at most 5 % above the best of all permutations") {
  Random random(2);
  double sum_found = 0;
  double sum_best = 0;
  for (int round = 0; round < 12; ++round) {
    constexpr int kRanks = 8;
    const Network network = any_network(random, 2 + below(random, 3));
    const RankSlots slots = any_slots(random, network, kRanks);
    const RankGraph graph = any_graph(random, kRanks);
    RankOrder order = plain_of(kRanks);
    const double limit = traffic_of(graph, slots, order).between_nodes;
    const double hops = traffic_of(graph, slots, order).hop_bytes;
    const double busiest = traffic_of(graph, slots, order).busiest_load;
    double best = cost_of(graph, slots, order);
    while (std::next_permutation(order.begin(), order.end())) {
      const double cost = cost_of(graph, slots, order);
      if (cost < best) {
        const RankTraffic traffic = traffic_of(graph, slots, order);
        best = traffic.between_nodes <= limit && traffic.hop_bytes <= hops &&
                       traffic.busiest_load <= busiest
                   ? cost
                   : best;
      }
    }
    const RankMapping found = map_ranks({graph, nullptr, slots});
    CHECK(found.cost >= best - 1e-6);
    sum_found += found.cost;
    sum_best += best;
  }
  CHECK(sum_found <= 1.05 * sum_best);
}

TEST_CASE("scrambled stencils are at most 1.1 times the best block") {
  struct Scrambled {
    std::vector<int> lengths;
    bool is_closed;
    int each;
    double best;
  };
  for (const Scrambled& known :
       {Scrambled{{16, 16, 16}, true, 64, 3072}, Scrambled{{16, 16, 16}, false, 64, 2304},
        Scrambled{{16, 16}, true, 16, 128}, Scrambled{{8, 8}, true, 8, 48},
        Scrambled{{8, 8, 8}, true, 32, 512}}) {
    Grid grid{known.lengths, std::vector<bool>(known.lengths.size(), known.is_closed),
              std::vector<double>(known.lengths.size(), 1)};
    const RankGraph straight = graph_of(grid);
    const int ranks = grid.ranks();
    RankOrder names = plain_of(ranks);
    std::shuffle(names.begin(), names.end(), Random(3));
    std::vector<Message> messages;
    for (int rank = 0; rank < ranks; ++rank) {
      for (long at = straight.begin[rank]; at < straight.begin[rank + 1]; ++at) {
        messages.push_back({names[rank], names[straight.other[at]], straight.bytes[at] / 2});
      }
    }
    const Network network = Network::flat(ranks / known.each);
    RankSlots slots;
    slots.network = &network;
    for (int rank = 0; rank < ranks; ++rank) {
      slots.node.push_back(rank / known.each);
    }
    const RankGraph graph = graph_of(ranks, messages);
    CHECK(graph.pairs() == straight.pairs());
    const RankMapping found = map_ranks({graph, nullptr, slots});
    CHECK(traffic_of(graph, slots, found.slot).between_nodes <= 1.1 * known.best);
  }
}

TEST_CASE("a grid like the torus: all neighbours are one hop apart") {
  const Grid grid{{16, 16, 16}, {true, true, true}, {1, 1, 1}};
  const Network network = Network::regular({Kind::kTorus, {8, 8, 8}}, 512);
  RankSlots slots;
  slots.network = &network;
  for (int rank = 0; rank < grid.ranks(); ++rank) {
    slots.node.push_back(rank / 8);
  }
  const RankGraph graph = graph_of(grid);
  const RankMapping found = map_ranks({graph, &grid, slots});
  const RankTraffic traffic = traffic_of(graph, slots, found.slot);
  CHECK(traffic.hop_bytes == 6144);
  CHECK(traffic.between_nodes == 6144);
  CHECK(traffic.busiest_load == 2);
}

TEST_CASE("levels inside a node count, but less than a hop") {
  // Two nodes with two packages of two ranks each. Pairs (0,2), (1,3), ... belong together.
  const Network network = Network::flat(2);
  const RankSlots slots{&network, {0, 0, 0, 0, 1, 1, 1, 1}, 1, {0, 0, 1, 1, 0, 0, 1, 1}};
  const RankGraph graph = graph_of(8, {{0, 2, 10}, {1, 3, 10}, {4, 6, 10}, {5, 7, 10}, {0, 1, 1}});
  const RankMapping found = map_ranks({graph, nullptr, slots});
  CHECK(traffic_of(graph, slots, found.slot).between_nodes == 0);
  CHECK(found.cost == Approx(RankSlots::kInside));  // only the pair (0, 1)
}

TEST_CASE("stencils with edges and corners have their neighbours") {
  const auto pairs = [](Stencil stencil, bool is_closed) {
    return graph_of(Grid{{4, 4, 4}, {is_closed, is_closed, is_closed}, {1, 1, 1}, stencil}).pairs();
  };
  CHECK(pairs(Stencil::kFaces, true) == 64 * 6 / 2);
  CHECK(pairs(Stencil::kEdges, true) == 64 * 18 / 2);
  CHECK(pairs(Stencil::kCorners, true) == 64 * 26 / 2);
  CHECK(pairs(Stencil::kFaces, false) == 3 * 3 * 16);
  CHECK(pairs(Stencil::kCorners, false) == 3 * 48 + 3 * 2 * 36 + 4 * 27);
  // A periodic dimension of length 2: both neighbours are one rank.
  CHECK(graph_of(Grid{{2}, {true}, {3}}).bytes == std::vector<double>{6, 6});
}

}  // namespace
}  // namespace nestbind::mapping
