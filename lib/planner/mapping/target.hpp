// SPDX-License-Identifier: BSD-3-Clause
// A team as input for another program. The members are a graph with integer weights, and the
// positions are leaves of a tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/edges.hpp"
#include "mapping/placement.hpp"

namespace nestbind::mapping {

struct Target {
  // The levels of the tree, from the root. `children` is the largest number of children of an
  // object. `distance` is the distance of two leaves that are in different children of an object.
  std::vector<int> children;
  std::vector<int> distance;
  std::vector<int> leaf;  // the leaf of each position
  std::vector<Edge> edges;
};

inline constexpr long kMostLeaves = 1 << 20;

// Returns none if positions have different shapes, or the tree has more than kMostLeaves leaves.
std::optional<Target> target_of(const Team& team, const Distances& distances);

std::string print_target(const Target& target);
std::optional<Target> parse_target(std::string_view text);

// Makes a permutation from another program's positions. If a position has several members, all
// except one get the nearest free positions. Member 0 must have position 0, so objects in the tree
// are exchanged. proposed: below the team's size.
std::vector<int> settle(const Target& target, const std::vector<int>& proposed);

}  // namespace nestbind::mapping
