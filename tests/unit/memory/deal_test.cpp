// SPDX-License-Identifier: BSD-3-Clause
#include "memory/deal.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "chance.hpp"

using namespace nestbind::memory;

namespace {

constexpr NodeSet kFour = 0xf;
constexpr std::uint64_t kAny = ~std::uint64_t{0};
constexpr std::uint64_t kBytes = 65536;
using Load = std::vector<std::uint64_t>;

std::vector<Card> cards(std::size_t number, int home, std::uint64_t weight = 1) {
  return std::vector<Card>(number, Card{weight, kBytes, home});
}

Load after(const std::vector<Card>& all, const Hand& hand, Load load) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    load[static_cast<std::size_t>(all[i].home)] -= all[i].weight;
    load[static_cast<std::size_t>(hand.to[i])] += all[i].weight;
  }
  return load;
}

std::size_t moved(const std::vector<Card>& all, const Hand& hand) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    number += hand.to[i] != all[i].home ? 1 : 0;
  }
  return number;
}

}  // namespace

TEST_CASE("all on one node is dealt in turn, all along") {
  const auto hand = cards(12, 0);
  const auto targets = deal(hand, Load{12, 0, 0, 0}, kFour, kAny);
  CHECK(targets.to == std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("who lacks most gets first") {
  const auto hand = cards(8, 0);
  const auto targets = deal(hand, Load{8, 4, 0, 4}, kFour, kAny);
  CHECK(after(hand, targets, {8, 4, 0, 4}) == Load{4, 4, 4, 4});
  CHECK(std::count(targets.to.begin(), targets.to.end(), 2) == 4);
}

TEST_CASE("what is even stays, and what no move makes better") {
  CHECK(moved(cards(8, 0), deal(cards(8, 0), Load{8, 8, 8, 8}, kFour, kAny)) == 0);
  CHECK(moved(cards(8, 1), deal(cards(8, 1), Load{30, 8, 8, 8}, kFour, kAny)) == 0);
  // One page with all the samples: wherever it is, is crowded.
  CHECK(moved(cards(1, 0, 100), deal(cards(1, 0, 100), Load{100, 0, 0, 0}, kFour, kAny)) == 0);
  CHECK(moved(cards(8, 0, 0), deal(cards(8, 0, 0), Load{8, 0, 0, 0}, kFour, kAny)) == 0);
  CHECK(deal({}, Load{1, 2, 3, 4}, kFour, kAny).to.empty());
}

TEST_CASE("a huge page leaves for a node that lacks most of one") {
  // 32 huge pages on four nodes, which one of them has 2 of too many: by halves, no one leaves.
  std::vector<Card> huge;
  for (const auto& [home, number] : {std::pair{0, 9}, {1, 9}, {2, 7}, {3, 7}}) {
    const auto some = cards(static_cast<std::size_t>(number), home, 512);
    huge.insert(huge.end(), some.begin(), some.end());
  }
  for (const std::uint64_t little : {0, 100, 200}) {
    // Beside what is not dealt, so that less than a page is too much.
    const Load load{9 * 512 - little, 9 * 512 - little, 7 * 512 + little, 7 * 512 + little};
    const Hand hand = deal(huge, load, kFour, kAny);
    INFO(little);
    CHECK(after(huge, hand, load) ==
          Load{8 * 512 - little, 8 * 512 - little, 8 * 512 + little, 8 * 512 + little});
    CHECK(moved(huge, hand) == 2);
  }
  // Less than half of a page: nobody is better off.
  const Load near{9 * 512 - 256, 9 * 512 - 256, 7 * 512 + 256, 7 * 512 + 256};
  CHECK(moved(huge, deal(huge, near, kFour, kAny)) == 0);
}

TEST_CASE("a page does not leave to make another node as full as its own was") {
  CHECK(moved(cards(10, 0), deal(cards(10, 0), Load{10, 9}, 0x3, kAny)) == 0);
  CHECK(moved(cards(5, 0), deal(cards(5, 0), Load{5, 3, 3}, 0x7, kAny)) == 1);
}

TEST_CASE("a node that may not be given more gets nothing, the others share") {
  const auto hand = cards(12, 0);
  const auto targets = deal(hand, Load{12, 0, 0, 0}, 0x7, kAny);
  CHECK(after(hand, targets, {12, 0, 0, 0}) == Load{4, 4, 4, 0});
  CHECK(moved(hand, deal(hand, Load{12, 0, 0, 0}, 0x1, kAny)) == 0);
  CHECK(moved(hand, deal(hand, Load{12, 0, 0, 0}, 0, kAny)) == 0);
  // All along: of each of ten parts two thirds leave.
  const auto many = cards(120, 0);
  const auto shared = deal(many, Load{120, 0, 0, 0}, 0x7, kAny);
  for (std::size_t part = 0; part < 120; part += 12) {
    const auto from = shared.to.begin() + static_cast<std::ptrdiff_t>(part);
    CHECK(std::count(from, from + 12, 0) == 4);
  }
  // It may still be relieved.
  CHECK(after(hand, deal(hand, Load{12, 0, 0, 0}, 0xe, kAny), {12, 0, 0, 0}) == Load{3, 3, 3, 3});
}

TEST_CASE("no more bytes than allowed, spread over all that is to leave") {
  const auto hand = cards(120, 0);
  const auto targets = deal(hand, Load{120, 0, 0, 0}, kFour, 30 * kBytes);
  CHECK(moved(hand, targets) == 30);
  CHECK(targets.is_cut);
  CHECK_FALSE(deal(hand, Load{120, 0, 0, 0}, kFour, 90 * kBytes).is_cut);
  CHECK(deal(hand, Load{120, 0, 0, 0}, kFour, 90 * kBytes - 1).is_cut);
  for (std::size_t part = 0; part < 120; part += 12) {
    const auto from = targets.to.begin() + static_cast<std::ptrdiff_t>(part);
    CHECK(std::count(from, from + 12, 0) == 9);
  }
  CHECK(moved(hand, deal(hand, Load{120, 0, 0, 0}, kFour, kBytes - 1)) == 0);
  CHECK(moved(hand, deal(hand, Load{120, 0, 0, 0}, kFour, 0)) == 0);
}

TEST_CASE("it never makes the most loaded node's load more, and ends near the mean") {
  Chance chance(5);
  for (int i = 0; i < 500; ++i) {
    const std::size_t nodes = chance.between(2, 8);
    Load load(nodes);
    std::vector<Card> hand;
    for (std::uint64_t left = chance.between(0, 400); left > 0; --left) {
      const std::uint64_t node = chance.one_in(2) ? 0 : chance.below(nodes);
      hand.push_back({chance.between(1, 16), kBytes, static_cast<int>(node)});
      load[node] += hand.back().weight;
    }
    const std::uint64_t limit = chance.one_in(2) ? kAny : chance.below(100) * kBytes;
    const NodeSet all = (NodeSet{1} << nodes) - 1;
    const auto targets = deal(hand, load, all, limit);
    REQUIRE(targets.to.size() == hand.size());
    REQUIRE(moved(hand, targets) * kBytes <= limit);
    REQUIRE(targets.to == deal(hand, load, all, limit).to);
    const Load result = after(hand, targets, load);
    REQUIRE(*std::max_element(result.begin(), result.end()) <=
            *std::max_element(load.begin(), load.end()));
    if (limit == kAny && !hand.empty()) {
      const auto [least, most] = std::minmax_element(result.begin(), result.end());
      // All cards are dealable: what is left is a card or so.
      REQUIRE(*most - *least <= 2 * 16);
    }
  }
}
