// SPDX-License-Identifier: BSD-3-Clause
#include "memory/interval.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "programs.hpp"

using namespace programs;

namespace {

constexpr std::uint64_t kAny = ~std::uint64_t{0};
const std::vector<NodeMemory> kAllHaveRoom(kNodes, kRoom);

Region region_of(const Program& program) {
  Chance chance(1);
  return sampled(program, chance);
}

Orders ordered(const Program& program, const std::vector<NodeMemory>& nodes, std::uint64_t bytes,
               Restraint& restraint, bool always = false) {
  const Region region = region_of(program);
  return orders_of(counts_of(program, region), std::vector<Region>{region}, nodes, {bytes, always},
                   restraint);
}

}  // namespace

TEST_CASE("orders say what, from where, where to, and why") {
  Restraint restraint;
  Region region{42, Seen(2)};
  for (std::uintptr_t i = 0; i < 4; ++i) {
    const auto samples =
        i < 2 ? std::vector<std::uint32_t>{0, 8} : std::vector<std::uint32_t>{4, 4};
    region.seen.add({i * kPageBytes, kPageBytes, false}, 0, samples, 1);
  }
  const std::vector<Region> regions{region};
  const Counts counts{traffic_of(regions), Intensity::kHigh, 0, 0, 0, 0};
  const Orders orders =
      orders_of(counts, regions, std::vector<NodeMemory>(2, kRoom), {kAny, false}, restraint);
  CHECK(orders.enabled == Enabled{false, true, true});
  // The moves alone make it even.
  const std::vector<Order> expected{{{0, kPageBytes, false}, 0, 1, 42, Fate::kMove, 0},
                                    {{kPageBytes, kPageBytes, false}, 0, 1, 42, Fate::kMove, 0}};
  CHECK(orders.moves == expected);
}

TEST_CASE("an intensity that is not known needs the word") {
  Program program = parts_on_one_node();
  program.intensity = Intensity::kUnknown;
  Restraint restraint;
  CHECK(ordered(program, kAllHaveRoom, kAny, restraint).moves.empty());
  CHECK(ordered(program, kAllHaveRoom, kAny, restraint, true).moves.size() == 3000);
  program.intensity = Intensity::kLow;
  CHECK(ordered(program, kAllHaveRoom, kAny, restraint, true).moves.empty());
}

TEST_CASE("no more bytes than allowed") {
  for (const Program& program : {parts_on_one_node(), streamcluster(), pca()}) {
    Restraint restraint;
    CHECK(ordered(program, kAllHaveRoom, 100 * kPageBytes, restraint).moves.size() == 100);
    CHECK(ordered(program, kAllHaveRoom, kPageBytes - 1, restraint).moves.empty());
  }
}

TEST_CASE("what was cut short goes on, but not in a program that asks for little now") {
  Program program = streamcluster();
  for (const bool pauses : {false, true}) {
    Restraint restraint;
    const std::size_t begun = ordered(program, kAllHaveRoom, kPageBytes, restraint).moves.size();
    CHECK(begun == 1);
    CHECK(restraint.rest() == Enabled{false, true, false});
    if (pauses) {
      program.intensity = Intensity::kLow;
      CHECK(ordered(program, kAllHaveRoom, kAny, restraint).moves.empty());
      program.intensity = Intensity::kHigh;
    }
    // An imbalance of 10 %, with which the rules would not begin.
    Program spread = shared_and_interleaved();
    for (std::size_t page = 1; page < 201; page += 4) {
      spread.homes[page] = 0;
    }
    const Orders orders = ordered(spread, kAllHaveRoom, kAny, restraint);
    CHECK(orders.enabled.interleaving == !pauses);
    CHECK(orders.moves.size() == (pauses ? 0 : 50));
    CHECK(restraint.rest() == Enabled{});
  }
}

TEST_CASE("a node that is short of memory is given nothing") {
  std::vector<NodeMemory> nodes = kAllHaveRoom;
  nodes[2] = {49, 1000};
  nodes[3] = {0, 0};
  for (const Program& program : {parts_on_one_node(), streamcluster(), pca()}) {
    Restraint restraint;
    const Orders orders = ordered(program, nodes, kAny, restraint);
    CHECK(orders.moves.size() > 900);
    for (const Order& order : orders.moves) {
      REQUIRE(order.to < 2);
    }
  }
}

TEST_CASE("nothing is ordered of what was seen too little, or lies nobody knows where") {
  Restraint restraint;
  Region region{1, Seen(2)};
  region.seen.add({0, kPageBytes, false}, 0, std::vector<std::uint32_t>{0, 3}, 1);
  region.seen.add({kPageBytes, kPageBytes, false}, -1, std::vector<std::uint32_t>{0, 9}, 1);
  region.seen.add({2 * kPageBytes, kPageBytes, false}, 0, std::vector<std::uint32_t>{0, 4}, 1);
  const std::vector<Region> regions{region};
  const Counts counts{traffic_of(regions), Intensity::kHigh, 0, 0, 0, 0};
  const Orders orders =
      orders_of(counts, regions, std::vector<NodeMemory>(2, kRoom), {kAny, false}, restraint);
  REQUIRE(orders.moves.size() == 1);
  CHECK(orders.moves[0].unit.begin == 2 * kPageBytes);
}

TEST_CASE("units that one node alone was seen in by chance stay where they are") {
  for (const std::size_t own : {40, 60}) {
    Region region{1, Seen(2)};
    for (std::size_t i = 0; i < 1000; ++i) {
      const auto samples =
          i < own ? std::vector<std::uint32_t>{0, 4} : std::vector<std::uint32_t>{2, 2};
      region.seen.add({i * kPageBytes, kPageBytes, false}, static_cast<int>(i % 2), samples, 1);
    }
    const std::vector<Region> regions{region};
    const Counts counts{traffic_of(regions), Intensity::kHigh, 0, 0, 0, 0};
    Restraint restraint;
    const Orders orders =
        orders_of(counts, regions, std::vector<NodeMemory>(2, kRoom), {kAny, false}, restraint);
    CHECK(orders.enabled == Enabled{false, false, true});
    CHECK(orders.moves.size() == (own == 40 ? 0 : 30));
  }
}

TEST_CASE("a region that moving does not help is left alone, once told") {
  Restraint restraint;
  const Program program = parts_on_one_node();  // stays as it is, whatever is ordered
  const Region region = region_of(program);
  const Counts counts = counts_of(program, region);
  const std::vector<Region> regions{region};
  std::vector<std::size_t> orders;
  std::vector<std::size_t> told;
  for (int i = 0; i < 5; ++i) {
    const Orders now =
        orders_of(counts, regions, kAllHaveRoom, {10 * kPageBytes, false}, restraint);
    orders.push_back(now.moves.size());
    told.push_back(now.stopped.size());
    for (const Order& order : now.moves) {
      restraint.moved(order.unit.begin, order.region, {counts.traffic, counts.traffic});
    }
  }
  CHECK(orders == std::vector<std::size_t>{10, 10, 0, 0, 0});
  CHECK(told == std::vector<std::size_t>{0, 0, 1, 0, 0});
}

TEST_CASE("whatever the program does, no unit moves in its cool-down, thrice, or twice at a time") {
  Chance chance(8);
  for (int run = 0; run < 20; ++run) {
    Program program = streamcluster();
    Restraint restraint;
    std::map<std::uintptr_t, std::vector<int>> moved;
    for (int interval = 0; interval < 40; ++interval) {
      // Now this one, now that one's.
      const std::uint64_t turn = chance.below(kNodes);
      program.is_own = [&](std::size_t page) { return page % 5 < turn; };
      program.owner = [&](std::size_t page) { return static_cast<int>((page + turn) % kNodes); };
      Region region{1, Seen(kNodes)};
      const Region all = sampled(program, chance);
      for (std::size_t i = 0; i < 100; ++i) {
        region.seen.add(all.seen.unit(i), all.seen.home(i), all.seen.samples(i), 1);
      }
      const std::vector<Region> regions{region};
      const Counts counts{traffic_of(regions), Intensity::kHigh, 0, 0, 0, 0};
      const Orders orders = orders_of(counts, regions, kAllHaveRoom,
                                      {chance.below(200) * kPageBytes, false}, restraint);
      std::set<std::uintptr_t> units;
      for (const Order& order : orders.moves) {
        REQUIRE(units.insert(order.unit.begin).second);
        REQUIRE(order.to != order.from);
        REQUIRE(program.homes[order.unit.begin / kPageBytes] == order.from);
        std::vector<int>& times = moved[order.unit.begin];
        REQUIRE((times.empty() || interval - times.back() > 8));
        times.push_back(interval);
        REQUIRE(times.size() <= 2);
        program.homes[order.unit.begin / kPageBytes] = order.to;
        restraint.moved(order.unit.begin, order.region, {counts.traffic, counts.traffic});
      }
    }
    CHECK(!moved.empty());
  }
}
