// SPDX-License-Identifier: BSD-3-Clause
// A team as another program's problem: its members a graph with whole weights, its positions leaves
// of a regular tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/edges.hpp"
#include "mapping/placement.hpp"

namespace nestbind::mapping {

struct Target {
  // Of each level of the tree, from its root on, how many children an object has, and the distance
  // of leaves whose ways part there. The tree is padded: where an object has fewer, leaves are
  // free.
  std::vector<int> children;
  std::vector<int> distance;
  std::vector<int> leaf;  // of each position
  std::vector<Edge> edges;
};

inline constexpr long kMostLeaves = 1 << 20;

// None where the positions are not of one shape, or the tree were larger than kMostLeaves.
std::optional<Target> target_of(const Team& team, const Distances& distances);

// As text, for another process, and back; none where the text is no target.
std::string print_target(const Target& target);
std::optional<Target> parse_target(std::string_view text);

// What such a program has answered, the position of each member, becomes a permutation that leaves
// the first member where it is: members without a position of their own get the nearest that is
// free, and objects of the tree change places, which costs nothing where they are alike. proposed:
// numbers below the team's size.
std::vector<int> settle(const Target& target, const std::vector<int>& proposed);

}  // namespace nestbind::mapping
