// SPDX-License-Identifier: BSD-3-Clause
// Tests the graph of objects that partitioners get.
#include "mapping/object_graph.hpp"

#include <catch2/catch.hpp>

namespace nestbind::mapping::test {
namespace {

using Ints = std::vector<int>;

TEST_CASE("loads and messages become proportional whole numbers") {
  const double load[] = {3, 1, 0};
  const int first[] = {0, 2, 4, 5};
  const int other[] = {1, 0, 0, 2, 1};
  const double messages[] = {2, 99, 1, 1, 0};
  const balance::Objects objects{3, load, first, other, messages, nullptr, nullptr};
  const ObjectGraph graph = graph_of(objects, 2);
  CHECK(graph.parts == 2);
  CHECK(graph.load == Ints{75'000'000, 25'000'000, 1});
  // Object 0 sends 2 to object 1, and object 1 sends 1 back. Object 1 sends 1 to object 2, and
  // object 2 sends nothing back. The 99 messages of an object to itself are ignored.
  CHECK(graph.edges == std::vector<Edge>{{0, 1, 75'000'000}, {1, 2, 25'000'000}});
  const double nothing[] = {0, 0};
  CHECK(graph_of({2, nothing, nullptr, nullptr, nullptr, nullptr, nullptr}, 2) ==
        ObjectGraph{2, {1, 1}, {}});
}

TEST_CASE("a graph of objects stays the same if it is written and read") {
  const ObjectGraph graph{3, {5, 1, 7, 9}, {{0, 1, 4}, {1, 3, 2}}};
  CHECK(parse_graph(print_graph(graph)) == graph);
  CHECK(parse_graph("1 0 0\n") == ObjectGraph{1, {}, {}});
  for (const char* bad : {"", "x", "3 4", "0 1 0 5", "-1 1 0 5", "1 1 0", "1 1 0 0", "1 1 0 5 5",
                          "1 2 1 5 5 1 1 3", "1 2 1 5 5 1 0 3", "1 2 1 5 5 0 2 3",
                          "1 2 1 5 5 0 1 0", "1 2 1 5 5 -1 1 3", "1 99999999999 0 5"}) {
    INFO(bad);
    CHECK_FALSE(parse_graph(bad).has_value());
  }
}

TEST_CASE("each edge is in the rows of both ends") {
  const Rows<long> rows({{0, 2, 7}, {1, 2, 8}}, 3);
  CHECK(rows.begin == std::vector<long>{0, 1, 2, 4});
  CHECK(std::vector<long>(rows.neighbour.begin(), rows.neighbour.begin() + 4) ==
        std::vector<long>{2, 2, 0, 1});
  CHECK(std::vector<long>(rows.weight.begin(), rows.weight.begin() + 4) ==
        std::vector<long>{7, 8, 7, 8});
}

TEST_CASE("one part, or a part for each object, needs no mapper") {
  CHECK(divide_plainly({1, {3, 4}, {}}) == Ints{0, 0});
  CHECK(divide_plainly({2, {3, 4}, {}}) == Ints{0, 1});
  CHECK(divide_plainly({5, {3, 4}, {}}) == Ints{0, 1});
  CHECK(divide_plainly({5, {}, {}}) == Ints{});
  CHECK_FALSE(divide_plainly({2, {3, 4, 5}, {}}).has_value());
}

}  // namespace
}  // namespace nestbind::mapping::test
