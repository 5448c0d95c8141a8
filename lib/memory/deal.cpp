// SPDX-License-Identifier: BSD-3-Clause
#include "memory/deal.hpp"

#include <algorithm>
#include <numeric>

#include "memory/wide.hpp"

namespace nestbind::memory {
namespace {

// Parts of 1, in which it is told how many of a node's cards leave.
constexpr std::uint64_t kOne = std::uint64_t{1} << 20;

// What each node should have: a fraction.
struct Level {
  std::uint64_t load = 0;
  std::uint64_t nodes = 1;

  bool is_above(std::uint64_t load_of_node) const { return Wide{load_of_node} * nodes > load; }
  // How much of it is too much, rounded up.
  std::uint64_t excess(std::uint64_t load_of_node) const {
    return is_above(load_of_node)
               ? static_cast<std::uint64_t>((Wide{load_of_node} * nodes - load + nodes - 1) / nodes)
               : 0;
  }
};

// The mean of the nodes. Those that have less and may not be given more are left out, which raises
// it for the others.
Level level_of(std::span<const std::uint64_t> load, NodeSet allowed) {
  NodeSet counted = load.size() == kMostNodes ? ~NodeSet{0} : (NodeSet{1} << load.size()) - 1;
  Level level;
  for (NodeSet before = 0; before != counted;) {
    before = counted;
    level = {0, 0};
    for (std::size_t node = 0; node < load.size(); ++node) {
      if (has(counted, static_cast<int>(node))) {
        level.load += load[node];
        ++level.nodes;
      }
    }
    for (std::size_t node = 0; node < load.size(); ++node) {
      const bool is_short = !level.is_above(load[node]) && !has(allowed, static_cast<int>(node));
      counted &= ~(NodeSet{is_short ? 1U : 0U} << node);
    }
  }
  return level;
}

// Of each node, what part of its cards' weight is to leave, in 1/kOne: its excess.
std::vector<std::uint64_t> leaving(std::span<const Card> cards, std::span<const std::uint64_t> load,
                                   const Level& level) {
  std::vector<std::uint64_t> weights(load.size());
  for (const Card& card : cards) {
    weights[static_cast<std::size_t>(card.home)] += card.weight;
  }
  std::vector<std::uint64_t> parts(load.size());
  for (std::size_t node = 0; node < load.size(); ++node) {
    const std::uint64_t most = std::min(level.excess(load[node]), weights[node]);
    if (most > 0) {
      parts[node] =
          static_cast<std::uint64_t>((Wide{most} * kOne + weights[node] - 1) / weights[node]);
    }
  }
  return parts;
}

// Less of each where that would be more bytes than may be moved. Whether it would.
bool cut_to(std::uint64_t bytes, std::span<const Card> cards, std::vector<std::uint64_t>& parts) {
  Wide moved = 0;
  for (const Card& card : cards) {
    moved += Wide{parts[static_cast<std::size_t>(card.home)]} * card.bytes;
  }
  const Wide limit = Wide{bytes} * kOne;
  if (moved <= limit) {
    return false;
  }
  for (std::uint64_t& part : parts) {
    part = static_cast<std::uint64_t>((part * limit + moved - 1) / moved);
  }
  return true;
}

// The allowed node that has least, the first of several; -1: none.
int emptiest(std::span<const std::uint64_t> load, NodeSet allowed) {
  int least = -1;
  for (std::size_t node = 0; node < load.size(); ++node) {
    if (has(allowed, static_cast<int>(node)) &&
        (least < 0 || load[node] < load[static_cast<std::size_t>(least)])) {
      least = static_cast<int>(node);
    }
  }
  return least;
}

}  // namespace

Hand deal(std::span<const Card> cards, std::span<const std::uint64_t> load, NodeSet allowed,
          std::uint64_t bytes) {
  std::vector<std::uint64_t> now(load.begin(), load.end());
  auto parts = leaving(cards, load, level_of(load, allowed));
  Hand hand;
  hand.is_cut = cut_to(bytes, cards, parts);
  hand.to.reserve(cards.size());
  // Of each node, the weight that should have left so far and has not, in 1/kOne.
  std::vector<Wide> owed(load.size());
  for (const Card& card : cards) {
    hand.to.push_back(card.home);
    const auto home = static_cast<std::size_t>(card.home);
    owed[home] += Wide{card.weight} * parts[home];
    const int to = emptiest(now, allowed);
    if (card.weight == 0 || owed[home] < Wide{card.weight} * kOne || to < 0 ||
        now[static_cast<std::size_t>(to)] + card.weight >= now[home]) {
      continue;
    }
    if (card.bytes > bytes) {
      hand.is_cut = true;
      continue;
    }
    owed[home] -= Wide{card.weight} * kOne;
    bytes -= card.bytes;
    now[home] -= card.weight;
    now[static_cast<std::size_t>(to)] += card.weight;
    hand.to.back() = to;
  }
  return hand;
}

}  // namespace nestbind::memory
