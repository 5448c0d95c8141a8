// SPDX-License-Identifier: BSD-3-Clause
// The edges of a graph with integer weights, also as arrays for graph libraries.
#pragma once

#include <cstddef>
#include <vector>

namespace nestbind::mapping {

struct Edge {
  int a = 0;
  int b = 0;       // not equal to a
  int weight = 1;  // above 0
  bool operator==(const Edge&) const = default;
};

// Compressed rows: each edge appears at both of its nodes. Number is the graph library's type.
template <typename Number>
struct Rows {
  std::vector<Number> begin;  // node i has the edges [begin[i], begin[i + 1])
  std::vector<Number> neighbour;
  std::vector<Number> weight;

  Rows(const std::vector<Edge>& edges, std::size_t nodes) : begin(nodes + 1, 0) {
    for (const Edge& edge : edges) {
      ++begin[static_cast<std::size_t>(edge.a) + 1];
      ++begin[static_cast<std::size_t>(edge.b) + 1];
    }
    for (std::size_t i = 1; i < begin.size(); ++i) {
      begin[i] += begin[i - 1];
    }
    std::vector<Number> next(begin.begin(), begin.end() - 1);
    neighbour.resize(2 * edges.size() + 1);  // so that data() is never null
    weight.resize(neighbour.size());
    for (const Edge& edge : edges) {
      put(next, edge.a, edge.b, edge.weight);
      put(next, edge.b, edge.a, edge.weight);
    }
  }

 private:
  void put(std::vector<Number>& next, int from, int to, int weight_of_edge) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
    neighbour[at] = to;
    weight[at] = weight_of_edge;
  }
};

}  // namespace nestbind::mapping
