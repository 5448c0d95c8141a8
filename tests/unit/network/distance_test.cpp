// SPDX-License-Identifier: BSD-3-Clause
// Hops, against breadth-first search in explicit graphs; routes, against hops.
#include <catch2/catch.hpp>
#include <deque>
#include <numeric>
#include <vector>

#include "network/network.hpp"

namespace nestbind::network {
namespace {

using Neighbours = std::vector<std::vector<int>>;

std::vector<int> search(const Neighbours& neighbours, int from) {
  std::vector<int> steps(neighbours.size(), -1);
  std::deque<int> next{from};
  steps[from] = 0;
  while (!next.empty()) {
    const int at = next.front();
    next.pop_front();
    for (const int to : neighbours[at]) {
      if (steps[to] < 0) {
        steps[to] = steps[at] + 1;
        next.push_back(to);
      }
    }
  }
  return steps;
}

// Connects nodes whose numbers differ by 1 in one digit, in a mixed radix of `lengths`.
Neighbours lattice(const std::vector<int>& lengths, bool wraps) {
  const int count = std::accumulate(lengths.begin(), lengths.end(), 1, std::multiplies<>());
  Neighbours neighbours(count);
  for (int node = 0; node < count; ++node) {
    int stride = 1;
    for (std::size_t d = lengths.size(); d-- > 0; stride *= lengths[d]) {
      const int digit = node / stride % lengths[d];
      for (const int to : {digit - 1, digit + 1}) {
        if (wraps || (to >= 0 && to < lengths[d])) {
          const int other = node + ((to + lengths[d]) % lengths[d] - digit) * stride;
          neighbours[node].push_back(other);
        }
      }
    }
  }
  return neighbours;
}

Form form_of(const std::string& text) {
  Fault fault;
  const auto form = parse_form(text, fault);
  REQUIRE(form);
  return *form;
}

TEST_CASE("hops in tori and meshes are the steps in the graph of their links") {
  for (const bool wraps : {true, false}) {
    for (const std::vector<int>& lengths :
         {std::vector{7}, {2, 5}, {4, 3, 2}, {1, 6}, {3, 3, 3, 2}}) {
      const Form form{wraps ? Kind::kTorus : Kind::kMesh, lengths};
      const auto count = static_cast<int>(form.positions());
      const Network network = Network::regular(form, count);
      const Neighbours neighbours = lattice(lengths, wraps);
      for (int a = 0; a < count; ++a) {
        const std::vector<int> steps = search(neighbours, a);
        for (int b = 0; b < count; ++b) {
          REQUIRE(network.hops(a, b) == steps[b]);
          std::vector<double> loads(network.links(), 0);
          network.for_each_link(a, b, [&](int link) { ++loads[link]; });
          REQUIRE(std::accumulate(loads.begin(), loads.end(), 0.0) == steps[b]);
        }
      }
    }
  }
}

TEST_CASE("hops in a tree are half the way over its switches") {
  const Network network = Network::regular(form_of("tree:3,2,4"), 24);
  // Vertices: 24 nodes, 6 leaf switches, 3 switches, the root.
  Neighbours neighbours(24 + 6 + 3 + 1);
  const auto connect = [&](int a, int b) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  };
  for (int node = 0; node < 24; ++node) {
    connect(node, 24 + node / 4);
  }
  for (int leaf = 0; leaf < 6; ++leaf) {
    connect(24 + leaf, 30 + leaf / 2);
  }
  for (int middle = 0; middle < 3; ++middle) {
    connect(30 + middle, 33);
  }
  for (int a = 0; a < 24; ++a) {
    const std::vector<int> steps = search(neighbours, a);
    for (int b = 0; b < 24; ++b) {
      REQUIRE(2 * network.hops(a, b) == steps[b]);
      std::vector<double> loads(network.links(), 0);
      network.for_each_link(a, b, [&](int link) { ++loads[link]; });
      // A node's own two links are not counted.
      REQUIRE(std::accumulate(loads.begin(), loads.end(), 0.0) == std::max(0, steps[b] - 2));
    }
  }
}

TEST_CASE("hops in a dragonfly are 1, 2 or 3, and routes cross one link between groups") {
  const Network network = Network::regular(form_of("dragonfly:5x3x2"), 30);
  for (int a = 0; a < 30; ++a) {
    for (int b = 0; b < 30; ++b) {
      const int expected = a == b ? 0 : a / 2 == b / 2 ? 1 : a / 6 == b / 6 ? 2 : 3;
      REQUIRE(network.hops(a, b) == expected);
      std::vector<double> loads(network.links(), 0);
      network.for_each_link(a, b, [&](int link) { ++loads[link]; });
      const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
      const double between = std::accumulate(loads.begin() + 5 * 3 * 3, loads.end(), 0.0);
      REQUIRE(between == (expected == 3 ? 1 : 0));
      REQUIRE(sum - between <= (expected == 3 ? 2 : expected == 2 ? 1 : 0));
    }
  }
}

TEST_CASE("switches at different depths: nodes of one leaf are 1 hop apart") {
  const Network network =
      Network::tree({{"core", "a"}, {"core", "a"}, {"core", "b", "c"}, {"core", "b", "d"}});
  CHECK(network.hops(0, 1) == 1);
  CHECK(network.hops(2, 3) == 2);
  CHECK(network.hops(0, 2) == 3);
}

}  // namespace
}  // namespace nestbind::network
