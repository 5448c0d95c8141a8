// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/asked.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace nestbind::memory;

TEST_CASE("pages that wait for their hint fault are there", "[watch]") {
  // Of eight pages one is absent, and three are hidden: behind a scan that may be all of them.
  std::vector<std::int16_t> asked{0, 0, kIsHidden, 1, kIsHidden, kIsAbsent, kIsHidden, 1};
  const std::uint64_t page = 4096;

  SECTION("shared out as the rest where they were never seen") {
    settle_hidden(asked, {});
    const Whereabouts found = whereabouts_of(8 * page, asked);
    CHECK(found.there == 7 * page);
    CHECK(found.bytes_on[0] == 7 * page / 2);
    CHECK(found.bytes_on[1] == 7 * page / 2);
  }
  SECTION("where they were before") {
    const std::vector<std::int16_t> before{3, 3, 1, 3, 1, 3, 1, kIsAbsent};
    settle_hidden(asked, before);
    CHECK(asked == std::vector<std::int16_t>{0, 0, 1, 1, 1, kIsAbsent, 1, 1});
    const Whereabouts found = whereabouts_of(8 * page, asked);
    CHECK(found.there == 7 * page);
    CHECK(found.bytes_on[0] == 2 * page);
    CHECK(found.bytes_on[1] == 5 * page);
  }
  SECTION("there, wherever, where nothing is known of any") {
    std::vector<std::int16_t> all(4, kIsHidden);
    settle_hidden(all, std::vector<std::int16_t>(4, kIsHidden));
    const Whereabouts found = whereabouts_of(4 * page, all);
    CHECK(found.there == 4 * page);
    CHECK(found.bytes_on[0] == 0);
  }
  CHECK(whereabouts_of(page, {}).there == 0);
}
