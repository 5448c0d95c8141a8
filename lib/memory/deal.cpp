// SPDX-License-Identifier: BSD-3-Clause
#include "memory/deal.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

// Dealing, card by card.
class Dealer {
 public:
  Dealer(std::span<const Card> cards, std::span<const std::uint64_t> load, NodeSet allowed,
         std::uint64_t bytes)
      : cards_(cards), now_(load.begin(), load.end()), allowed_(allowed), bytes_left_(bytes) {
    hand_.to.reserve(cards.size());
    for (const Card& card : cards) {
      hand_.to.push_back(card.home);
    }
  }

  // What is to leave, all along the cards: parts, of each node.
  void deal_parts(std::span<const std::uint64_t> parts);
  // Where a card is more than a node has too much, by parts none would leave, although another node
  // lacks it.
  void deal_rest(const Level& level);

  void cut() { hand_.is_cut = true; }
  bool is_cut() const { return hand_.is_cut; }
  Hand hand() && { return std::move(hand_); }

 private:
  std::uint64_t& load_of(int node) { return now_[static_cast<std::size_t>(node)]; }
  // The node that card `i` would better be on; -1: none.
  int better_than_home(std::size_t i);
  bool give(std::size_t i, int to);

  std::span<const Card> cards_;
  std::vector<std::uint64_t> now_;
  NodeSet allowed_;
  std::uint64_t bytes_left_;
  Hand hand_;
};

int Dealer::better_than_home(std::size_t i) {
  const Card& card = cards_[i];
  const int to = card.weight > 0 ? emptiest(now_, allowed_) : -1;
  return to >= 0 && load_of(to) + card.weight < load_of(card.home) ? to : -1;
}

bool Dealer::give(std::size_t i, int to) {
  const Card& card = cards_[i];
  if (card.bytes > bytes_left_) {
    cut();
    return false;
  }
  bytes_left_ -= card.bytes;
  load_of(card.home) -= card.weight;
  load_of(to) += card.weight;
  hand_.to[i] = to;
  return true;
}

void Dealer::deal_parts(std::span<const std::uint64_t> parts) {
  // Of each node, the weight that should have left so far and has not, in 1/kOne.
  std::vector<Wide> owed(now_.size());
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    const auto home = static_cast<std::size_t>(cards_[i].home);
    owed[home] += Wide{cards_[i].weight} * parts[home];
    const int to = owed[home] < Wide{cards_[i].weight} * kOne ? -1 : better_than_home(i);
    if (to >= 0 && give(i, to)) {
      owed[home] -= Wide{cards_[i].weight} * kOne;
    }
  }
}

void Dealer::deal_rest(const Level& level) {
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    if (hand_.to[i] == cards_[i].home && level.is_above(load_of(cards_[i].home))) {
      if (const int to = better_than_home(i); to >= 0) {
        give(i, to);
      }
    }
  }
}

}  // namespace

Hand deal(std::span<const Card> cards, std::span<const std::uint64_t> load, NodeSet allowed,
          std::uint64_t bytes) {
  const Level level = level_of(load, allowed);
  auto parts = leaving(cards, load, level);
  Dealer dealer(cards, load, allowed, bytes);
  if (cut_to(bytes, cards, parts)) {
    dealer.cut();
  }
  dealer.deal_parts(parts);
  if (!dealer.is_cut()) {
    dealer.deal_rest(level);
  }
  return std::move(dealer).hand();
}

}  // namespace nestbind::memory
