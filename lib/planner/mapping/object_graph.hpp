// SPDX-License-Identifier: BSD-3-Clause
// Objects to balance, as a graph for partitioners.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "balance/objects.hpp"
#include "mapping/edges.hpp"

namespace nestbind::mapping {

struct ObjectGraph {
  int parts = 1;
  std::vector<int> load;    // of each object, positive
  std::vector<Edge> edges;  // messages between two objects, a < b
  bool operator==(const ObjectGraph&) const = default;
};

// Scales loads and messages, so that the sum of each fits an int. No load becomes 0, because
// partitioners accept no empty part.
ObjectGraph graph_of(const balance::Objects& objects, int parts);

std::string print_graph(const ObjectGraph& graph);
std::optional<ObjectGraph> parse_graph(std::string_view text);

// Solves the two easy cases: one part, and at least as many parts as objects. Returns none in other
// cases.
std::optional<std::vector<int>> divide_plainly(const ObjectGraph& graph);

}  // namespace nestbind::mapping
