// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "memory/spread/page_parts.hpp"

namespace nestbind::memory::spread::test {
namespace {

TEST_CASE("four members on four nodes get a quarter each", "[memory]") {
  const std::vector<Member> members = {{0}, {1}, {2}, {3}};
  CHECK(block(1000, 400, members) == std::vector<Part>{{1100, 0}, {1200, 1}, {1300, 2}, {1400, 3}});
}

TEST_CASE("members on one node share one part", "[memory]") {
  const std::vector<Member> members = {{0}, {0}, {1}, {1}};
  CHECK(block(0, 401, members) == std::vector<Part>{{200, 0}, {401, 1}});
}

TEST_CASE("a member on two nodes gets parts in proportion to its processors", "[memory]") {
  const std::vector<Member> members = {{0, 0, 0, 1}, {2}};
  CHECK(block(0, 800, members) == std::vector<Part>{{300, 0}, {400, 1}, {800, 2}});
}

TEST_CASE("empty parts are left out if there are more members than bytes", "[memory]") {
  const std::vector<Member> members = {{0}, {1}, {2}, {3}};
  CHECK(block(50, 1, members) == std::vector<Part>{{51, 3}});
  CHECK(block(50, 0, members) == std::vector<Part>{{50, 0}});
}

TEST_CASE("the whole address space is divided without overflow", "[memory]") {
  const std::vector<Member> members = {{0}, {1}, {2}};
  const auto parts = block(0, ~std::size_t{0}, members);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].end == ~std::size_t{0} / 3);
  CHECK(parts[2].end == ~std::size_t{0});
}

TEST_CASE("processors are divided into equal parts, in order", "[memory]") {
  const std::vector<int> nodes = {0, 0, 1, 1, 2, 2, 3, 3};
  CHECK(equal_members(nodes, 4) == std::vector<Member>{{0, 0}, {1, 1}, {2, 2}, {3, 3}});
  CHECK(equal_members(nodes, 3) == std::vector<Member>{{0, 0}, {1, 1, 2}, {2, 3, 3}});
  CHECK(equal_members(nodes, 1) == std::vector<Member>{nodes});
}

TEST_CASE("members share processors if there are more members than processors", "[memory]") {
  const std::vector<int> nodes = {0, 1};
  CHECK(equal_members(nodes, 4) == std::vector<Member>{{0}, {0}, {1}, {1}});
}

TEST_CASE("an address has the node of its part or of the nearest part", "[memory]") {
  const std::vector<Part> parts = {{100, 3}, {200, 1}};
  CHECK(node_at(parts, 0) == 3);
  CHECK(node_at(parts, 99) == 3);
  CHECK(node_at(parts, 100) == 1);
  CHECK(node_at(parts, 5000) == 1);
}

}  // namespace
}  // namespace nestbind::memory::spread::test
