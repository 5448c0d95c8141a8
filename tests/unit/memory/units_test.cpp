// SPDX-License-Identifier: BSD-3-Clause
#include "memory/units.hpp"

#include <catch2/catch.hpp>

#include "chance.hpp"

using namespace nestbind::memory;

namespace {

constexpr std::size_t kSmall = 65536;
constexpr std::size_t kHuge = 2097152;
const PageSizes kSizes;

}  // namespace

TEST_CASE("units are 16 pages, cut at the ends of a range") {
  const auto units = units_of({0x13000, 0x31000}, {}, kSizes);
  const std::vector<Unit> expected{
      {0x13000, 0xd000, false}, {0x20000, 0x10000, false}, {0x30000, 0x1000, false}};
  CHECK(units == expected);
  CHECK(units_of({0x5000, 0x5000}, {}, kSizes).empty());
  CHECK(units_of({0x6000, 0x5000}, {}, kSizes).empty());
}

TEST_CASE("a huge page is one unit") {
  const std::vector<Range> huge{{kHuge, 3 * kHuge}};
  const auto units = units_of({kHuge - kSmall, 3 * kHuge + kSmall}, huge, kSizes);
  const std::vector<Unit> expected{{kHuge - kSmall, kSmall, false},
                                   {kHuge, kHuge, true},
                                   {2 * kHuge, kHuge, true},
                                   {3 * kHuge, kSmall, false}};
  CHECK(units == expected);
  // Of one that is not wholly inside, the part that is.
  CHECK(units_of({2 * kHuge - 4096, 2 * kHuge}, huge, kSizes) ==
        std::vector<Unit>{{2 * kHuge - 4096, 4096, true}});
  // What is said to be huge, and is no whole page of this size, is not.
  CHECK_FALSE(unit_at(kHuge, std::vector<Range>{{kHuge, 2 * kHuge - 4096}}, kSizes).is_huge);
  CHECK_FALSE(unit_at(kHuge, std::vector<Range>{{kHuge + 4096, 2 * kHuge}}, kSizes).is_huge);
}

TEST_CASE("with pages of 64 KiB a unit is 1 MiB") {
  const PageSizes sizes{65536, std::size_t{512} << 20};
  CHECK(unit_at(0x345678, {}, sizes) == Unit{0x300000, 0x100000, false});
}

TEST_CASE("units partition any range") {
  Chance chance(15);
  for (int i = 0; i < 500; ++i) {
    const std::uintptr_t begin = chance.below(4 * kHuge);
    const Range range{begin, begin + chance.below(8 * kHuge) + 1};
    std::vector<Range> huge;
    for (std::uintptr_t at = 0; at < 12 * kHuge; at += kHuge) {
      if (chance.one_in(3)) {
        huge.push_back({at, at + kHuge});
      }
    }
    const auto units = units_of(range, huge, kSizes);
    REQUIRE(units.front().begin == range.begin);
    REQUIRE(units.back().end() == range.end);
    for (std::size_t k = 0; k < units.size(); ++k) {
      REQUIRE(units[k].bytes > 0);
      REQUIRE((k == 0 || units[k - 1].end() == units[k].begin));
      const std::size_t size = units[k].is_huge ? kHuge : kSmall;
      REQUIRE(units[k].begin / size == (units[k].end() - 1) / size);
      REQUIRE(cut(unit_at(units[k].begin, huge, kSizes), range) == units[k]);
    }
  }
}

TEST_CASE("at most 64 MiB in an interval, and a tenth of the process a second") {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  CHECK(bytes_allowed(640 * kMiB, 1000000) == 64 * kMiB);
  CHECK(bytes_allowed(64000 * kMiB, 1000000) == 64 * kMiB);
  CHECK(bytes_allowed(64000 * kMiB, 60000000) == 64 * kMiB);
  CHECK(bytes_allowed(100 * kMiB, 1000000) == 10 * kMiB);
  CHECK(bytes_allowed(100 * kMiB, 500000) == 5 * kMiB);
  CHECK(bytes_allowed(0, 1000000) == 0);
  CHECK(bytes_allowed(~std::uint64_t{0}, ~std::uint64_t{0}) == 64 * kMiB);
}

TEST_CASE("batches take as many units as fit") {
  const auto units = units_of({0, 10 * kSmall}, {}, kSizes);
  CHECK(batches(units, 4 * kSmall) == std::vector<std::size_t>{4, 8, 10});
  CHECK(batches(units, 4 * kSmall + 1) == std::vector<std::size_t>{4, 8, 10});
  CHECK(batches(units, 10 * kSmall) == std::vector<std::size_t>{10});
  CHECK(batches(std::vector<Unit>{}, kSmall).empty());
  // A unit by itself where it is larger.
  const std::vector<Unit> mixed{
      {0, kSmall, false}, {kHuge, kHuge, true}, {2 * kHuge, kSmall, false}};
  CHECK(batches(mixed, kSmall) == std::vector<std::size_t>{1, 2, 3});
}
