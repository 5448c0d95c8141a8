// SPDX-License-Identifier: BSD-3-Clause
// Tests the division of loops into blocks, whose owners may change.
#include "helpers.hpp"
#include "loops/division.hpp"

namespace nestbind::loops::test {
namespace {

TEST_CASE("each member's share is cut into blocks") {
  const Blocks blocks(100, 1, 4, 5);
  CHECK(blocks.each() == 5);
  CHECK(blocks.count() == 20);
  CHECK(blocks.are_worth_it());
  CHECK(blocks.range(0) == Range{0, 5});
  CHECK(blocks.range(19) == Range{95, 100});
  CHECK(blocks.first_owner(4) == 0);
  CHECK(blocks.first_owner(5) == 1);
  CHECK(blocks.joined(3, 7) == Range{15, 35});
  // The two members have 6 and 5 iterations, in 2 blocks each.
  const Blocks odd(11, 1, 2, 2);
  CHECK(odd.range(0) == Range{0, 3});
  CHECK(odd.range(1) == Range{3, 6});
  CHECK(odd.range(2) == Range{6, 8});
  CHECK(odd.range(3) == Range{8, 11});
  const Blocks coarse(11, 4, 2, 12);
  CHECK(coarse.each() == 1);
  CHECK_FALSE(coarse.are_worth_it());
  CHECK(coarse.range(0) == Range{0, 8});
  CHECK(coarse.range(1) == Range{8, 11});
  CHECK(Blocks(3, 1, 4, 12).each() == 0);
  CHECK_FALSE(Blocks(0, 1, 4, 12).are_worth_it());
}

TEST_CASE("blocks cover a loop once, and each member begins with its static share") {
  Random random(5);
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t huge = below(random, 2) == 0 ? ~std::uint64_t{0} - below(random, 9) : 5000;
    const std::uint64_t iterations = huge == 5000 ? below(random, huge) : huge;
    const std::uint64_t grain = 1 + below(random, 9);
    const int members = 1 + static_cast<int>(below(random, 70));
    const Blocks blocks(iterations, grain, members, 1 + static_cast<int>(below(random, 14)));
    if (blocks.each() == 0) {
      continue;
    }
    std::vector<Range> ranges;
    for (int block = 0; block < blocks.count(); ++block) {
      ranges.push_back(blocks.range(block));
    }
    REQUIRE(covers(ranges, iterations));
    for (int member = 0; member < members; ++member) {
      const int first = member * blocks.each();
      REQUIRE(blocks.joined(first, first + blocks.each()) ==
              even_share(iterations, grain, members, member));
    }
  }
}

}  // namespace
}  // namespace nestbind::loops::test
