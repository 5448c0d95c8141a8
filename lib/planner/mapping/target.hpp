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
  // For each level, the root first: an object's number of children, and the distance of two leaves
  // in different children. If an object has fewer children, some leaves are unused.
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
// except one get the nearest free positions. The first member gets its own position by exchanges of
// objects in the tree. proposed: below the team's size.
std::vector<int> settle(const Target& target, const std::vector<int>& proposed);

}  // namespace nestbind::mapping
