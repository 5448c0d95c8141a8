// SPDX-License-Identifier: BSD-3-Clause
#include "memory/samples.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "chance.hpp"
#include "memory/seen.hpp"

using namespace nestbind::memory;

namespace {

constexpr std::uintptr_t kUnit = 65536;
constexpr std::uintptr_t kHuge = 2097152;
const PageSizes kSizes;

std::vector<std::uint32_t> in_whole(const Seen& seen, std::size_t i) {
  return {seen.samples(i).begin(), seen.samples(i).end()};
}

}  // namespace

TEST_CASE("samples are counted by unit and node") {
  Samples samples(8, 4, kSizes);
  CHECK(samples.add(kUnit, 0, false));
  CHECK(samples.add(2 * kUnit - 1, 0, true));
  CHECK(samples.add(2 * kUnit, 3, false));
  REQUIRE(samples.size() == 2);
  CHECK(samples.address(0) == kUnit);
  CHECK(samples.counts(0)[0] == 32);
  CHECK(samples.writes(0) == 16);
  CHECK(samples.address(1) == 2 * kUnit);
  CHECK(samples.counts(1)[3] == 16);
  CHECK(samples.writes(1) == 0);
  CHECK(samples.place_of(kUnit + 5) == 0);
  CHECK(samples.place_of(3 * kUnit) == 2);
  CHECK(samples.taken() == 3);
}

TEST_CASE("a scan takes an eighth") {
  Samples samples(1, 2, kSizes);
  for (int i = 0; i < 4; ++i) {
    samples.add(0, 1, true);
  }
  // 64 sixteenths, less an eighth, rounded up.
  for (const int left : {56, 49, 42, 36, 31, 27, 23, 20}) {
    samples.end_scan();
    REQUIRE(samples.size() == 1);
    CHECK(samples.counts(0)[1] == left);
    CHECK(samples.writes(0) == left);
  }
}

TEST_CASE("what comes steadily counts almost as the last 8 scans") {
  Samples samples(1, 1, kSizes);
  for (int scan = 0; scan < 100; ++scan) {
    samples.end_scan();
    samples.add(0, 0, false);
  }
  // An eighth is rounded up: 7.6 samples.
  CHECK(samples.counts(0)[0] == 121);
}

TEST_CASE("what is not seen again is forgotten, and makes place") {
  Samples samples(1, 1, kSizes);
  CHECK(samples.add(0, 0, false));
  CHECK_FALSE(samples.add(kUnit, 0, false));
  CHECK(samples.lost() == 1);
  CHECK(samples.taken() == 2);
  int scans = 0;
  for (; samples.size() > 0; ++scans) {
    REQUIRE(scans < 20);
    samples.end_scan();
  }
  CHECK(scans == 12);
  CHECK(samples.add(kUnit, 0, false));
  CHECK(samples.address(0) == kUnit);
  CHECK(samples.counts(0)[0] == 16);
}

TEST_CASE("a count stays at the most that it holds") {
  Samples samples(1, 1, kSizes);
  for (int i = 0; i < 5000; ++i) {
    samples.add(0, 0, true);
  }
  CHECK(samples.counts(0)[0] == 65535);
  CHECK(samples.writes(0) == 65535);
}

TEST_CASE("a table's memory is what it was made with") {
  Samples samples(1000, 4, kSizes);
  const std::size_t bytes = samples.bytes();
  CHECK(bytes == 1000 * 8 + 1000 * 5 * 2 + 2048 * 4);
  for (std::uintptr_t unit = 0; unit < 3000; ++unit) {
    samples.add(unit * kUnit, 0, false);
  }
  CHECK(samples.size() == 1000);
  CHECK(samples.lost() == 2000);
  CHECK(samples.bytes() == bytes);
}

TEST_CASE("the table is as a map, whatever comes and goes") {
  Chance chance(3);
  Samples samples(64, 3, kSizes);
  std::map<std::uintptr_t, std::vector<int>> expected;
  for (int step = 0; step < 20000; ++step) {
    const std::uintptr_t unit = chance.below(96) * (chance.one_in(2) ? 1 : 1024);
    const auto node = static_cast<std::size_t>(chance.below(3));
    const bool fits = expected.count(unit) != 0 || expected.size() < 64;
    REQUIRE(samples.add(unit * kUnit + chance.below(kUnit), static_cast<int>(node), false) == fits);
    if (fits) {
      expected.try_emplace(unit, 3).first->second[node] += 16;
    }
    if (chance.one_in(100)) {
      samples.end_scan();
      for (auto& [number, counts] : expected) {
        for (int& count : counts) {
          count -= (count + 7) / 8;
        }
      }
      std::erase_if(expected, [](const auto& entry) {
        return std::all_of(entry.second.begin(), entry.second.end(), [](int n) { return n == 0; });
      });
    }
    REQUIRE(samples.size() == expected.size());
  }
  for (const auto& [number, counts] : expected) {
    const std::size_t place = samples.place_of(number * kUnit);
    REQUIRE(place < samples.size());
    const auto found = samples.counts(place);
    CHECK(std::equal(found.begin(), found.end(), counts.begin(), counts.end()));
  }
}

TEST_CASE("what was unmapped is forgotten") {
  Samples samples(8, 1, kSizes);
  for (std::uintptr_t unit = 0; unit < 4; ++unit) {
    samples.add(unit * kUnit, 0, false);
  }
  samples.forget({kUnit, 3 * kUnit});
  CHECK(samples.counts(0)[0] == 16);
  CHECK(samples.counts(1)[0] == 0);
  CHECK(samples.counts(2)[0] == 0);
  CHECK(samples.counts(3)[0] == 16);
  samples.forget({0, 0});
  CHECK(samples.counts(0)[0] == 16);
  samples.end_scan();
  CHECK(samples.size() == 2);
}

TEST_CASE("units of a range are in order, from 4 samples on") {
  Samples samples(100, 2, kSizes);
  for (const std::uintptr_t unit : {7, 3, 5, 4, 9, 6}) {
    for (int i = 0; i < (unit == 5 ? 3 : 4); ++i) {
      samples.add(unit * kUnit, static_cast<int>(unit % 2), unit == 6);
    }
  }
  // By looking for each unit of the range, and by going through the table.
  for (const std::uintptr_t end : {7 * kUnit + 4096, 1000000 * kUnit}) {
    const Seen seen = seen_in(samples, {3 * kUnit + 4096, end}, {}, Samples::kEnough);
    REQUIRE(seen.size() == (end < 8 * kUnit ? 4 : 5));
    CHECK(seen.unit(0) == Unit{3 * kUnit + 4096, kUnit - 4096, false});
    CHECK(seen.unit(1) == Unit{4 * kUnit, kUnit, false});
    CHECK(seen.unit(2) == Unit{6 * kUnit, kUnit, false});
    CHECK(seen.unit(3).begin == 7 * kUnit);
    CHECK(in_whole(seen, 0) == std::vector<std::uint32_t>{0, 4});
    CHECK(in_whole(seen, 1) == std::vector<std::uint32_t>{4, 0});
    CHECK(seen.writes(1) == 0);
    CHECK(seen.writes(2) == 4);
    CHECK(seen.home(0) == -1);
    CHECK(seen.all(0) == 4);
  }
  CHECK(seen_in(samples, {0, 10 * kUnit}, {}, 3).size() == 6);
  CHECK(seen_in(samples, {10 * kUnit, 20 * kUnit}, {}, 0).size() == 0);
}

TEST_CASE("the parts of a huge page count together") {
  Samples samples(100, 2, kSizes);
  // 3 here and there: 4 in none of its parts.
  for (const std::uintptr_t at : {kHuge + 3 * kUnit, kHuge + 9 * kUnit}) {
    samples.add(at, 0, false);
    samples.add(at, 0, false);
    samples.add(at, 1, false);
  }
  const std::vector<Range> huge{{kHuge, 2 * kHuge}};
  CHECK(seen_in(samples, {0, 4 * kHuge}, {}, Samples::kEnough).size() == 0);
  const Seen seen = seen_in(samples, {0, 4 * kHuge}, huge, Samples::kEnough);
  REQUIRE(seen.size() == 1);
  CHECK(seen.unit(0) == Unit{kHuge, kHuge, true});
  CHECK(in_whole(seen, 0) == std::vector<std::uint32_t>{4, 2});
}

TEST_CASE("traffic by where the memory is") {
  Seen seen(2);
  seen.add({0, kUnit, false}, 0, std::vector<std::uint32_t>{3, 1}, 0);
  seen.add({kUnit, kUnit, false}, 1, std::vector<std::uint32_t>{2, 5}, 0);
  seen.add({2 * kUnit, kUnit, false}, -1, std::vector<std::uint32_t>{9, 9}, 0);
  CHECK(traffic_of(seen) == Traffic{{4, 7}, 8});
  CHECK(traffic_of(Seen(2)) == Traffic{{0, 0}, 0});
}
