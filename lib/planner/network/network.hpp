// SPDX-License-Identifier: BSD-3-Clause
// The network between the nodes of a job: distances, and the links of minimal routes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/text_lines.hpp"

namespace nestbind::network {

using mapping::Fault;

// kTree: hops are the height of the lowest common switch. kTorus, kMesh: the Manhattan distance,
// wrapped in a torus. kDragonfly: coordinates are group, router and node; nodes of a router are 1
// hop apart, nodes of a group 2, others 3.
enum class Kind { kTree, kTorus, kMesh, kDragonfly };

// The largest number of positions, and of coordinates of a node.
inline constexpr long kMostPositions = 1 << 22;
inline constexpr std::size_t kMostDimensions = 8;

struct Form {
  Kind kind = Kind::kTree;
  std::vector<int> lengths;  // for each coordinate, the outermost first; not empty
  long positions() const;
};

// Whether a text is for parse_form, and no file's name.
bool is_form(std::string_view text);

// Parses "torus:8x8x8", "mesh:4x4", "tree:16,18" (children from the top) or "dragonfly:9x4x4"
// (groups x routers x nodes).
std::optional<Form> parse_form(std::string_view text, Fault& fault);

class Network {
 public:
  // All nodes are 1 hop apart.
  static Network flat(int nodes);
  // Node i has position i; positions are in the order of their coordinates. nodes: at most
  // form.positions().
  static Network regular(const Form& form, int nodes);
  // coordinates: form.lengths.size() numbers for each node, in range. No two nodes have the same.
  static Network regular(const Form& form, std::vector<int> coordinates);
  // paths: the names of the switches above each node, the root first. Paths may have different
  // lengths. A node that is not below the others' root is as far as the root allows.
  static Network tree(const std::vector<std::vector<std::string>>& paths);

  Kind kind() const { return form_.kind; }
  int nodes() const { return nodes_; }
  const std::vector<int>& lengths() const { return form_.lengths; }
  std::span<const int> coordinates(int node) const {
    return {&coordinates_[static_cast<std::size_t>(node) * form_.lengths.size()],
            form_.lengths.size()};
  }
  bool is_flat() const { return form_.kind == Kind::kTree && form_.lengths.size() == 1; }

  // 0 for the same node, otherwise at least 1.
  int hops(int a, int b) const;

  // Links have a direction, and numbers from 0 to links() - 1. A tree's links are those between
  // switches, a dragonfly's those between routers: a node's own link is none.
  int links() const;
  // Calls `use` with each link on the route from a to b. Routes are minimal. In a torus they are in
  // the order of the dimensions, and positive if both ways are equally long. A dragonfly has one
  // link between two groups.
  using Use = std::function<void(int link)>;
  void for_each_link(int a, int b, const Use& use) const;
  std::string link_name(int link) const;

  // The names of the switches above a node of a tree, below the root. Empty for other networks.
  std::vector<std::string> switches_above(int node) const;

 private:
  Network(Form form, std::vector<int> coordinates);
  // The switch of a node at a level of a tree: 1 is below the root.
  int switch_of(int node, std::size_t level) const {
    return switches_[static_cast<std::size_t>(node) * (form_.lengths.size() - 1) + level - 1];
  }
  long position(std::span<const int> coordinates) const;
  void use_torus_route(int a, int b, const Use& use) const;
  void use_dragonfly_route(int a, int b, const Use& use) const;

  Form form_;
  int nodes_ = 0;
  std::vector<int> coordinates_;
  std::vector<int> switches_;
  std::vector<std::string> switch_names_;
};

// Reads a file of lines "NODE COORDINATE COORDINATE ..." for all nodes in `names`; other nodes'
// lines are ignored. Returns none with a fault. If a node has no line, fault.line is 0.
std::optional<Network> place_nodes(const Form& form, const std::vector<std::string>& names,
                                   std::string_view text, Fault& fault);

}  // namespace nestbind::network
