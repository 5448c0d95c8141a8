// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/members.hpp"

#include <catch2/catch.hpp>

namespace nestbind::memory::module::test {
namespace {

using kernel::Nodes;
using kernel::NodeSet;
using spread::Member;

const Nodes kFour = {
    .numbers = {0, 1, 2, 3}, .of_processor = {0, 0, 1, 1, 2, 2, 3, 3}, .distance = {}};

NodeSet set_of(std::initializer_list<int> nodes) {
  NodeSet set;
  for (const int node : nodes) {
    set.add(node);
  }
  return set;
}

CpuMask mask_of(const unsigned long& bits) { return {sizeof bits, &bits}; }

TEST_CASE("the nodes of a partition are the nodes of its processors", "[memory]") {
  const unsigned long bits = 0b00111100;
  CHECK(nodes_of_partition({.partition = mask_of(bits)}, kFour, set_of({0, 1, 2, 3})) ==
        std::vector<int>{1, 2});
  CHECK(nodes_of_partition({.partition = mask_of(bits)}, kFour, set_of({0, 2})) ==
        std::vector<int>{2});
  CHECK(nodes_of_partition({.partition = mask_of(bits)}, kFour, set_of({0, 3})) ==
        std::vector<int>{0, 3});
  CHECK(nodes_of_partition({.partition = {}}, kFour, set_of({0, 1, 2, 3})) ==
        std::vector<int>{0, 1, 2, 3});
  CHECK(nodes_of_partition({.partition = {}}, kFour, {}) == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("members without places get equal parts of the partition", "[memory]") {
  const unsigned long all = 0xff;
  CHECK(members_of({.partition = mask_of(all), .members = 4}, kFour) ==
        std::vector<Member>{{0, 0}, {1, 1}, {2, 2}, {3, 3}});
  CHECK(members_of({.partition = mask_of(all), .members = 1}, kFour) ==
        std::vector<Member>{{0, 0, 1, 1, 2, 2, 3, 3}});
  CHECK(members_of({.partition = {}, .members = 0}, kFour).size() == 1);
}

TEST_CASE("members with places have the nodes of their places, in order", "[memory]") {
  const unsigned long bits[] = {0b10000000, 0b00000001, 0b00010101};
  const CpuMask places[] = {mask_of(bits[0]), mask_of(bits[1]), mask_of(bits[2])};
  CHECK(members_of({.partition = {}, .members = 3, .places = places}, kFour) ==
        std::vector<Member>{{3}, {0}, {0, 1, 2}});
}

TEST_CASE("a machine without NUMA has one node for all members", "[memory]") {
  const Nodes one = {.numbers = {0}, .of_processor = {}, .distance = {}};
  CHECK(members_of({.partition = {}, .members = 2}, one) == std::vector<Member>{{0}, {0}});
}

}  // namespace
}  // namespace nestbind::memory::module::test
