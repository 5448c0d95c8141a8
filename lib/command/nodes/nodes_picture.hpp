// SPDX-License-Identifier: BSD-3-Clause
// Draws the nodes of a job with their ranks, the switches above them, and the traffic between them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nestbind::nodes {

struct DrawnNode {
  std::string name;
  std::string ranks;                  // as a list, such as 0-3,8
  std::vector<std::string> switches;  // above the node, the outermost first; as many for each node
  std::string position = {};          // in a torus, mesh or dragonfly, such as 0,3,1
};

// Bytes between two different nodes, the smaller index first.
using NodeTraffic = std::map<std::pair<int, int>, double>;

struct DrawnTraffic {
  std::string title;
  NodeTraffic traffic;
};

// Returns an SVG. Texts need not be safe. The maps share one scale of colours.
std::string draw_nodes(const std::string& title, const std::vector<DrawnNode>& nodes,
                       const std::vector<DrawnTraffic>& maps);

}  // namespace nestbind::nodes
