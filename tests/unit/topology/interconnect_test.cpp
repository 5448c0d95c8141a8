// SPDX-License-Identifier: BSD-3-Clause
// Tests the hops that are computed from matrices of distances.
#include <algorithm>
#include <random>

#include "helpers.hpp"

namespace nestbind::topology::test {
namespace {

using Matrix = std::vector<std::vector<unsigned>>;

Interconnect network(const Matrix& distance, bool in_ns = false, Parts parts = Parts::kJoined) {
  machine::NumaNodes nodes;
  for (int node = 0; node < static_cast<int>(distance.size()); ++node) {
    nodes.numbers.push_back(node);
  }
  nodes.distance = distance;
  nodes.in_ns = in_ns;
  return Interconnect(nodes, parts);
}

Ints hops_from(const Interconnect& interconnect, int from, int nodes) {
  Ints hops;
  for (int to = 0; to < nodes; ++to) {
    hops.push_back(interconnect.hops(from, to));
  }
  return hops;
}

Matrix row_of(int nodes, bool is_ring) {
  Matrix distance;
  for (int from = 0; from < nodes; ++from) {
    auto& row = distance.emplace_back();
    for (int to = 0; to < nodes; ++to) {
      const int apart = std::abs(from - to);
      row.push_back(10 +
                    10 * static_cast<unsigned>(is_ring ? std::min(apart, nodes - apart) : apart));
    }
  }
  return distance;
}

TEST_CASE("rows, rings and full networks have the known hops", "[topology]") {
  CHECK(hops_from(network(row_of(5, false)), 1, 5) == Ints{1, 0, 1, 2, 3});
  CHECK(hops_from(network(row_of(6, true)), 1, 6) == Ints{1, 0, 1, 2, 3, 2});
  CHECK(hops_from(network({{10, 21, 21}, {21, 10, 21}, {21, 21, 10}}), 0, 3) == Ints{0, 1, 1});
  CHECK(hops_from(network({{10}}), 0, 1) == Ints{0});
  CHECK(hops_from(network({}), 0, 1) == Ints{0});
}

TEST_CASE("parts of the network are joined at their nearest nodes, by one more hop", "[topology]") {
  // Each of two packages has two nodes.
  const Matrix sockets{{10, 11, 20, 20}, {11, 10, 20, 20}, {20, 20, 10, 11}, {20, 20, 11, 10}};
  CHECK(hops_from(network(sockets), 0, 4) == Ints{0, 1, 2, 2});
  // Nodes 1 and 3 connect the groups 0-1-4-5 and 2-3.
  Matrix far(4, std::vector<unsigned>(4, 50));
  for (int node = 0; node < 4; ++node) {
    far[node][node] = 10;
  }
  far[0][1] = far[1][0] = far[2][3] = far[3][2] = 15;
  far[1][3] = far[3][1] = 30;
  CHECK(hops_from(network(far), 0, 4) == Ints{0, 1, 4, 3});
}

TEST_CASE("parts that are not joined have no path between them", "[topology]") {
  const auto apart = [](const Matrix& distance) { return network(distance, false, Parts::kApart); };
  const Matrix square{{10, 16, 16, 22}, {16, 10, 22, 16}, {16, 22, 10, 16}, {22, 16, 16, 10}};
  for (int node = 0; node < 4; ++node) {
    CHECK(hops_from(apart(square), node, 4) == hops_from(network(square), node, 4));
  }
  CHECK(hops_from(apart(square), 0, 4) == Ints{0, 1, 1, 2});
  const Matrix boards{{10, 15, 40, 40}, {15, 10, 40, 40}, {40, 40, 10, 15}, {40, 40, 15, 10}};
  CHECK(hops_from(apart(boards), 0, 4) == Ints{0, 1, -1, -1});
  CHECK(hops_from(apart(boards), 3, 4) == Ints{-1, -1, 1, 0});
  CHECK(apart(boards).hops(-1, 0) == 1);
}

TEST_CASE("a link goes in both directions, whichever node it is nearest to", "[topology]") {
  // Nodes 0 and 1 are near. Node 2 is far.
  const Matrix distance{{10, 16, 30}, {16, 10, 25}, {30, 20, 10}};
  const Interconnect interconnect = network(distance);
  CHECK(hops_from(interconnect, 0, 3) == Ints{0, 1, 2});
  CHECK(hops_from(interconnect, 2, 3) == Ints{2, 1, 0});
}

TEST_CASE("measured distances are equal if they differ by less than a tenth", "[topology]") {
  const Matrix square{
      {90, 140, 146, 230}, {139, 91, 228, 143}, {144, 231, 90, 150}, {229, 141, 149, 90}};
  CHECK(hops_from(network(square, true), 0, 4) == Ints{0, 1, 1, 2});
  CHECK(hops_from(network(square, true), 1, 4) == Ints{1, 0, 2, 1});
  const Matrix small{{10, 11, 12}, {11, 10, 12}, {12, 12, 10}};
  CHECK(hops_from(network(small), 0, 3) == Ints{0, 1, 1});
  const Matrix chain{{10, 11, 13}, {11, 10, 12}, {13, 12, 10}};
  CHECK(hops_from(network(chain), 0, 3) == Ints{0, 1, 2});
}

TEST_CASE("slots outside of all nodes are as far as the farthest", "[topology]") {
  const Interconnect row = network(row_of(5, false));
  CHECK(row.hops(-1, -1) == 0);
  CHECK(row.hops(-1, 2) == 4);
  CHECK(row.hops(2, 7) == 4);
  CHECK(row.place_of(3) == 3);
  CHECK(row.place_of(5) == -1);
}

TEST_CASE("hops are a metric for any distances", "[topology]") {
  std::mt19937 random(16);
  for (int round = 0; round < 300; ++round) {
    const int nodes = 2 + static_cast<int>(random() % 12);
    Matrix distance(nodes, std::vector<unsigned>(nodes, 10));
    for (int from = 0; from < nodes; ++from) {
      for (int to = 0; to < nodes; ++to) {
        distance[from][to] = from == to ? 10 : 11 + static_cast<unsigned>(random() % 6);
      }
    }
    const Interconnect interconnect = network(distance, round % 2 == 1);
    for (int a = 0; a < nodes; ++a) {
      for (int b = 0; b < nodes; ++b) {
        REQUIRE(interconnect.hops(a, b) == interconnect.hops(b, a));
        REQUIRE((interconnect.hops(a, b) == 0) == (a == b));
        const unsigned nearest = [&] {
          unsigned least = 100;
          for (int c = 0; c < nodes; ++c) {
            least = c == a ? least : std::min({least, distance[a][c], distance[c][a]});
          }
          return least;
        }();
        if (a != b && std::min(distance[a][b], distance[b][a]) == nearest) {
          REQUIRE(interconnect.hops(a, b) == 1);
        }
        for (int c = 0; c < nodes; ++c) {
          REQUIRE(interconnect.hops(a, c) <= interconnect.hops(a, b) + interconnect.hops(b, c));
        }
      }
    }
  }
}

}  // namespace
}  // namespace nestbind::topology::test
