// SPDX-License-Identifier: BSD-3-Clause
// A team for another program: members are a graph with integer weights, positions are leaves of a
// tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/edges.hpp"
#include "mapping/placement.hpp"

namespace nestbind::mapping {

struct Target {
  // For each level of the tree, root first: an object's number of children, and the distance of two
  // leaves in different children. An object with fewer children has free leaves.
  std::vector<int> children;
  std::vector<int> distance;
  std::vector<int> leaf;  // of each position
  std::vector<Edge> edges;
};

inline constexpr long kMostLeaves = 1 << 20;

// Returns none if positions have different shapes, or the tree has more than kMostLeaves leaves.
std::optional<Target> target_of(const Team& team, const Distances& distances);

// The target as text for another process, and the reverse (none if the text is not a target).
std::string print_target(const Target& target);
std::optional<Target> parse_target(std::string_view text);

// Turns another program's position for each member into a permutation that leaves the first member
// in its place. If a position has several members, all except one get the nearest free positions.
// Exchanges objects of the tree: this costs nothing if they are alike. proposed: below team's size.
std::vector<int> settle(const Target& target, const std::vector<int>& proposed);

}  // namespace nestbind::mapping
