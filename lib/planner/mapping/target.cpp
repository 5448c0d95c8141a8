// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/target.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mapping/text_lines.hpp"

namespace nestbind::mapping {

namespace {

// The path from the root of the tree to a position. Each step is the number of a child.
using Way = std::vector<int>;

// The last step of a path distinguishes positions on the same slot.
std::vector<Way> ways_of(const Team& team, const Distances& distances) {
  std::size_t depth = 0;
  for (const int slot : team.slots) {
    depth = std::max(depth, distances.branches()[slot].size());
  }
  std::vector<Way> ways(team.size);
  std::map<std::vector<int>, std::map<int, int>> children;
  for (int position = 0; position < team.size; ++position) {
    const int slot = team.slots[position];
    std::vector<int> objects = distances.branches()[slot];
    std::vector<int> above;
    for (std::size_t level = 0; level < depth; ++level) {
      // The child at this level. The child of the last object is the slot.
      const int below = level + 1 < objects.size() ? objects[level + 1] : -1 - slot;
      auto& known = children[above];
      ways[position].push_back(known.emplace(below, static_cast<int>(known.size())).first->second);
      above.push_back(below);
    }
    auto& same = children[above];
    ways[position].push_back(same.emplace(position, static_cast<int>(same.size())).first->second);
  }
  return ways;
}

Way way_of_leaf(const Target& target, int leaf) {
  Way way(target.children.size());
  for (std::size_t level = way.size(); level-- > 0;) {
    way[level] = leaf % target.children[level];
    leaf /= target.children[level];
  }
  return way;
}

// Returns the weights as integers whose sum fits an int. Integers with such a sum are not changed.
std::vector<Edge> whole_weights(const std::vector<Pair>& pairs) {
  constexpr double kMostWeight = 1e8;
  double sum = 0;
  bool are_whole = true;
  for (const Pair& pair : pairs) {
    sum += pair.weight;
    are_whole = are_whole && pair.weight == std::floor(pair.weight);
  }
  const double factor = are_whole && sum <= kMostWeight ? 1 : kMostWeight / sum;
  std::vector<Edge> edges;
  edges.reserve(pairs.size());
  for (const auto& [a, b, weight] : pairs) {
    edges.push_back({a, b, std::max(1, static_cast<int>(std::lround(weight * factor)))});
  }
  return edges;
}

int distance_of(const Target& target, const Way& a, const Way& b) {
  const auto parting = std::ranges::mismatch(a, b).in1 - a.begin();
  return parting == static_cast<std::ptrdiff_t>(a.size()) ? 0 : target.distance[parting];
}

void share_out(const Target& target, const std::vector<Way>& ways, std::vector<int>& positions) {
  std::vector<bool> is_taken(positions.size(), false);
  std::vector<int> without;
  for (std::size_t member = 0; member < positions.size(); ++member) {
    if (is_taken[positions[member]]) {
      without.push_back(static_cast<int>(member));
    }
    is_taken[positions[member]] = true;
  }
  for (const int member : without) {
    int best = -1;
    for (int position = 0; position < static_cast<int>(positions.size()); ++position) {
      const auto far = [&](int to) {
        return distance_of(target, ways[positions[member]], ways[to]);
      };
      if (!is_taken[position] && (best < 0 || far(position) < far(best))) {
        best = position;
      }
    }
    positions[member] = best;
    is_taken[best] = true;
  }
}

// Returns the positions below `child`. The key of a position is the rest of the path.
std::map<Way, int> positions_below(const std::vector<Way>& ways, const Way& way, std::size_t level,
                                   int child) {
  std::map<Way, int> below;
  for (std::size_t position = 0; position < ways.size(); ++position) {
    const Way& other = ways[position];
    if (std::equal(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(level),
                   way.begin()) &&
        other[level] == child) {
      below[Way(other.begin() + static_cast<std::ptrdiff_t>(level) + 1, other.end())] =
          static_cast<int>(position);
    }
  }
  return below;
}

// Exchanges objects, from the root's level down, until the first member is on the first position.
void bring_home(const std::vector<Way>& ways, std::vector<int>& positions) {
  const Way& home = ways[0];
  for (std::size_t level = 0; level < home.size(); ++level) {
    const int from = ways[positions[0]][level];
    if (from == home[level]) {
      continue;
    }
    const auto here = positions_below(ways, home, level, home[level]);
    const auto there = positions_below(ways, home, level, from);
    std::vector<int> becomes(positions.size(), -1);
    for (const auto& [way, position] : here) {
      const auto other = there.find(way);
      if (other != there.end()) {
        becomes[position] = other->second;
        becomes[other->second] = position;
      }
    }
    for (int& position : positions) {
      position = becomes[position] < 0 ? position : becomes[position];
    }
    if (ways[positions[0]][level] != home[level]) {
      break;
    }
  }
  const auto on_first = std::ranges::find(positions, 0);
  std::swap(*on_first, positions[0]);
}

bool holds(const Target& target) {
  long leaves = 1;
  for (const int children : target.children) {
    leaves = children < 1 ? kMostLeaves + 1 : leaves * children;
    if (leaves > kMostLeaves) {
      return false;
    }
  }
  const int members = static_cast<int>(target.leaf.size());
  return std::ranges::all_of(target.leaf, [&](int leaf) { return leaf < leaves; }) &&
         std::ranges::all_of(target.edges, [&](const Edge& edge) {
           return edge.a < edge.b && edge.b < members && edge.weight > 0;
         });
}

}  // namespace

std::optional<Target> target_of(const Team& team, const Distances& distances) {
  const bool are_alike =
      std::ranges::all_of(team.shapes, [&](int shape) { return shape == team.shapes[0]; });
  if (!are_alike) {
    return std::nullopt;
  }
  std::vector<Way> ways = ways_of(team, distances);
  Target target;
  const std::size_t last = ways[0].size() - 1;  // the level below the slots
  std::vector<bool> is_kept;
  long leaves = 1;
  for (std::size_t level = 0; level <= last; ++level) {
    int children = 1;
    for (const Way& way : ways) {
      children = std::max(children, way[level] + 1);
    }
    leaves *= children;
    if (leaves > kMostLeaves) {
      return std::nullopt;
    }
    is_kept.push_back(children > 1);
    if (is_kept.back()) {
      target.children.push_back(children);
      target.distance.push_back(static_cast<int>(last - level));
    }
  }
  // Positions on one slot have the distance 0, but mappers need distances above 0. So the other
  // distances are doubled, and this distance becomes 1.
  if (is_kept[last]) {
    for (int& distance : target.distance) {
      distance = std::max(1, 2 * distance);
    }
  }
  for (const Way& way : ways) {
    int leaf = 0;
    for (std::size_t level = 0, kept = 0; level <= last; ++level) {
      leaf = is_kept[level] ? leaf * target.children[kept++] + way[level] : leaf;
    }
    target.leaf.push_back(leaf);
  }
  target.edges = whole_weights(team.pairs);
  return target;
}

std::string print_target(const Target& target) {
  std::string text = std::to_string(target.children.size()) + " " +
                     std::to_string(target.leaf.size()) + " " + std::to_string(target.edges.size());
  const auto put = [&](int number) { text += " " + std::to_string(number); };
  for (const auto* numbers : {&target.children, &target.distance, &target.leaf}) {
    text += "\n";
    std::ranges::for_each(*numbers, put);
  }
  for (const auto& [a, b, weight] : target.edges) {
    text += "\n";
    put(a);
    put(b);
    put(weight);
  }
  return text + "\n";
}

std::optional<Target> parse_target(std::string_view text) {
  constexpr std::size_t kSizes = 3;
  const auto numbers = whole_numbers(text);
  if (!numbers || numbers->size() < kSizes) {
    return std::nullopt;
  }
  const auto levels = static_cast<std::size_t>((*numbers)[0]);
  const auto members = static_cast<std::size_t>((*numbers)[1]);
  const auto edges = static_cast<std::size_t>((*numbers)[2]);
  if (numbers->size() != kSizes + 2 * levels + members + 3 * edges) {
    return std::nullopt;
  }
  auto next = numbers->begin() + kSizes;
  const auto take = [&](std::size_t count) {
    const auto begin = next;
    next += static_cast<std::ptrdiff_t>(count);
    return std::vector<int>(begin, next);
  };
  Target target;
  target.children = take(levels);
  target.distance = take(levels);
  target.leaf = take(members);
  for (std::size_t i = 0; i < edges; ++i) {
    const std::vector<int> edge = take(3);
    target.edges.push_back({edge[0], edge[1], edge[2]});
  }
  return holds(target) ? std::optional(std::move(target)) : std::nullopt;
}

std::vector<int> settle(const Target& target, const std::vector<int>& proposed) {
  std::vector<Way> ways;
  ways.reserve(target.leaf.size());
  for (const int leaf : target.leaf) {
    ways.push_back(way_of_leaf(target, leaf));
  }
  std::vector<int> positions = proposed;
  share_out(target, ways, positions);
  bring_home(ways, positions);
  return positions;
}

}  // namespace nestbind::mapping
