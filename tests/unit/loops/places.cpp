// SPDX-License-Identifier: BSD-3-Clause
#include "helpers.hpp"
#include "loops/grouping.hpp"

namespace nestbind::loops::test {
namespace {

constexpr std::uint16_t kNowhere = Place::kNowhere;

struct Grouped {
  std::vector<std::uint16_t> first;
  std::vector<std::uint16_t> queue_of;
  Grouping grouping;
};

Grouped grouped(const std::vector<Place>& places, Sharing sharing) {
  Grouped result{
      std::vector<std::uint16_t>(places.size()), std::vector<std::uint16_t>(places.size()), {}};
  result.grouping = group({places.data(), nullptr, 0}, static_cast<int>(places.size()), sharing,
                          result.first.data(), result.queue_of.data());
  return result;
}

std::vector<int> firsts(const Grouping& grouping) {
  std::vector<int> result;
  for (int queue = 0; queue <= grouping.queues; ++queue) {
    result.push_back(grouping.first_of(queue));
  }
  return result;
}

// Returns the queues in the order of the search, with '|' after each class of distance.
std::string order(const Places& places, const Grouping& grouping, int member) {
  std::vector<Victim> victims(static_cast<std::size_t>(grouping.queues) + 1);
  victims.back().queue = 12345;
  victims[victims.size() - 2].queue = 12345;
  order_victims(places, grouping, member, victims.data());
  REQUIRE(victims[victims.size() - 2].queue == 12345);  // only existing queues are written
  std::string result;
  for (int i = 0; i + 1 < grouping.queues; ++i) {
    const Victim& victim = victims[static_cast<std::size_t>(i)];
    result += std::to_string(victim.queue) + (victim.ends_class ? "|" : " ");
    CHECK(victim.distance ==
          distance(places.of(member), places.of(grouping.first_of(victim.queue))));
  }
  return result;
}

TEST_CASE("the distance of two places is the nearest object that they share", "[loops]") {
  const Place here = {1, 2, 3, 4};
  CHECK(distance(here, here) == Distance::kL2);
  CHECK(distance(here, {9, 2, 3, 4}) == Distance::kL3);
  CHECK(distance(here, {9, 9, 3, 4}) == Distance::kNode);
  CHECK(distance(here, {9, 9, 9, 4}) == Distance::kPackage);
  CHECK(distance(here, {9, 9, 9, 9}) == Distance::kFar);
  CHECK(distance(Place{}, Place{}) == Distance::kFar);
  CHECK(distance({kNowhere, kNowhere, 3, kNowhere}, {kNowhere, kNowhere, 3, kNowhere}) ==
        Distance::kNode);
}

TEST_CASE("members share a queue with neighbours on the same object", "[loops]") {
  const std::vector<Place> places = neighbours(20);
  CHECK(grouped(places, Sharing::kThread).grouping.queues == 20);
  CHECK(firsts(grouped(places, Sharing::kL2).grouping) ==
        std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20});
  CHECK(firsts(grouped(places, Sharing::kL3).grouping) == std::vector<int>{0, 4, 8, 12, 16, 20});
  const Grouped by_node = grouped(places, Sharing::kNuma);
  CHECK(firsts(by_node.grouping) == std::vector<int>{0, 8, 16, 20});
  for (int member = 0; member < 20; ++member) {
    CHECK(by_node.grouping.queue_with(member) == member / 8);
  }
  CHECK(firsts(grouped(places, Sharing::kPackage).grouping) == std::vector<int>{0, 16, 20});
  CHECK(firsts(grouped(places, Sharing::kAll).grouping) == std::vector<int>{0, 20});
}

TEST_CASE("a team may have fewer members than places", "[loops]") {
  const std::vector<Place> places = neighbours(20);
  for (const Sharing sharing : {Sharing::kThread, Sharing::kL2, Sharing::kNuma, Sharing::kAll}) {
    const Grouped whole = grouped(places, sharing);
    for (int members = 1; members <= 20; ++members) {
      const std::vector<Place> fewer(places.begin(), places.begin() + members);
      CHECK(firsts(of_first(whole.grouping, members)) == firsts(grouped(fewer, sharing).grouping));
    }
  }
}

TEST_CASE("members without neighbours or without a place have their own queues", "[loops]") {
  std::vector<Place> places(6);
  places[0].node = places[2].node = places[3].node = 0;
  places[1].node = 1;
  CHECK(firsts(grouped(places, Sharing::kNuma).grouping) == std::vector<int>{0, 1, 2, 4, 5, 6});
  CHECK(firsts(grouped(places, Sharing::kL3).grouping) == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  std::uint16_t none[1];
  CHECK(group({}, 5, Sharing::kNuma, none, none).queues == 5);
}

TEST_CASE("threads steal from the nearest queue first, upward from their own number", "[loops]") {
  const std::vector<Place> places = neighbours(20);
  // Nodes 0 and 1 are on package 0, node 2 is on package 1.
  const std::uint8_t distances[] = {10, 20, 31, 20, 10, 25, 31, 25, 10};
  const Places with = {places.data(), distances, 3};
  CHECK(order(with, own_queues(20), 5) == "4|6 7|0 1 2 3|8 9 10 11 12 13 14 15|16 17 18 19|");
  CHECK(order(with, own_queues(20), 16) == "17|18 19|8 9 10 11 12 13 14 15|0 1 2 3 4 5 6 7|");
  CHECK(order({places.data(), nullptr, 0}, own_queues(20), 16) ==
        "17|18 19|0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15|");
  CHECK(order({}, own_queues(4), 2) == "3 0 1|");
}

TEST_CASE("a node that is missing in the table of distances is the farthest", "[loops]") {
  std::vector<Place> places(3);
  places[0].node = 0;
  places[1].node = 7;
  places[2].node = 1;
  const std::uint8_t distances[] = {10, 255, 255, 10};
  CHECK(order({places.data(), distances, 2}, own_queues(3), 0) == "2|1|");
}

TEST_CASE("a shared queue is at the place of its first member", "[loops]") {
  const std::vector<Place> places = neighbours(20);
  const Grouped by_l3 = grouped(places, Sharing::kL3);
  CHECK(order({places.data(), nullptr, 0}, by_l3.grouping, 9) == "3|0 1|4|");
}

}  // namespace
}  // namespace nestbind::loops::test
