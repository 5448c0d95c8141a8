// SPDX-License-Identifier: BSD-3-Clause
// Objects that are to be balanced, as another program's problem: a graph with whole weights, to be
// divided into parts of one load.
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
  std::vector<int> load;    // of each object, above 0
  std::vector<Edge> edges;  // what two objects send to each other, a < b
  bool operator==(const ObjectGraph&) const = default;
};

// Loads and messages are scaled, so that the sum of each fits an int. None becomes 0, because
// partitioners accept no empty part. Homes are left out: partitioners do not know them.
ObjectGraph graph_of(const balance::Objects& objects, int parts);

// As text, for another process, and back; none where the text is no such graph.
std::string print_graph(const ObjectGraph& graph);
std::optional<ObjectGraph> parse_graph(std::string_view text);

// The part of each object where there is nothing to be asked: one part, or a part for each object.
// None otherwise.
std::optional<std::vector<int>> divide_plainly(const ObjectGraph& graph);

}  // namespace nestbind::mapping
