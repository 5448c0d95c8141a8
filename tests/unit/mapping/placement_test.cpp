// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/placement.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "helpers.hpp"
#include "mapping/find_map.hpp"

using namespace mapped;

TEST_CASE("threads are numbered in path order and have the plan's slots") {
  const Setup setup("barcelona", "2,scatter,2,scatter,3,subscatter");
  CHECK(setup.threads.count() == 12);
  CHECK(setup.threads.slot == std::vector<int>{0, 1, 2, 12, 13, 14, 8, 9, 10, 4, 5, 6});
  CHECK(find_thread(setup.threads, {1, 0, 2}) == 8);
  CHECK(find_thread(setup.threads, {1, 0}) == -1);
  CHECK(find_thread(setup.threads, {1, 0, 3}) == -1);
  CHECK(find_thread(setup.threads, {}) == -1);
}

TEST_CASE("the cost is weight times distance") {
  const Setup setup("pack:2 core:4 pu:1", "2,scatter,4,subscatter");
  const Communication pairs = {{0, 1, 5}, {1, 4, 2}};
  const Problem problem(setup.threads, pairs, setup.distances);
  CHECK(Placement(problem).cost() == 5 * 1 + 2 * 2);
}

TEST_CASE("members that change places take their inner teams along") {
  const Setup setup("pack:4 core:4 pu:1", "4,scatter,4,subscatter");
  const Communication none;
  const Problem problem(setup.threads, none, setup.distances);
  Placement placement(problem);
  placement.swap(0, 1, 3);
  const int team_3 = setup.threads.all[0].members[3];
  placement.swap(team_3, 1, 2);
  std::vector<int> slots;
  for (int thread = 0; thread < 16; ++thread) {
    slots.push_back(placement.slot(thread));
  }
  CHECK(slots == std::vector<int>{0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11, 4, 6, 5, 7});
  CHECK(placement.order().teams() == plan::Order::Teams{{{}, {0, 3, 2, 1}}, {{3}, {0, 2, 1, 3}}});
  CHECK(placement.slot_of_position(team_3, 3) == 7);
}

TEST_CASE("a plan with an order gives the slots of the placement") {
  const planned::Setup machine{"pack:4 core:4 pu:1", "", 0};
  Setup setup("pack:4 core:4 pu:1", "4,scatter,4,subscatter");
  const Communication pairs = renamed(stencil(4), shuffled(16, 7));
  const Problem problem(setup.threads, pairs, setup.distances);
  Placement placement(problem);
  exchange_members(problem, placement);
  plan::Plan ordered(setup.plan.machine(), setup.plan.rules(), placement.order());
  std::set<int> different;
  for (int thread = 0; thread < 16; ++thread) {
    const plan::Path path = {{thread / 4, 4}, {thread % 4, 4}};
    CHECK(ordered.slot_of(path).slot == placement.slot(thread));
    different.insert(placement.slot(thread));
  }
  CHECK(different.size() == 16);
}

TEST_CASE("a gain is the decrease of the cost") {
  const Setup setup("barcelona", "4,scatter,4,subscatter");
  const Communication pairs = renamed(stencil(4), shuffled(16, 3));
  const Problem problem(setup.threads, pairs, setup.distances);
  Placement placement(problem);
  std::mt19937 dice(1);
  for (int round = 0; round < 300; ++round) {
    const int thread = dice() % 2 == 0 ? 0 : setup.threads.all[0].members[dice() % 4];
    const int one = 1 + static_cast<int>(dice() % 3);
    const int other = 1 + (one + static_cast<int>(dice() % 2)) % 3;
    if (one == other) {
      continue;
    }
    const double before = placement.cost();
    const double gain = placement.gain(thread, one, other);
    placement.swap(thread, one, other);
    REQUIRE(before - placement.cost() == Approx(gain).margin(1e-9));
  }
}

TEST_CASE("members with different inner teams do not change places") {
  const Setup setup("barcelona", "3,scatter,core,subcompact");
  const std::vector<int>& members = setup.threads.all[0].members;
  CHECK(setup.threads.all[members[0]].shape != setup.threads.all[members[1]].shape);
  CHECK(setup.threads.all[members[1]].shape == setup.threads.all[members[2]].shape);
}
