// SPDX-License-Identifier: BSD-3-Clause
// Touched units among each other: where most lie, on one page or several, in a range.
#include <catch2/catch.hpp>
#include <initializer_list>
#include <map>
#include <vector>

#include "memory/watch/touches.hpp"

using namespace nestbind::memory;

TEST_CASE("what was moved unseen is where almost all was, and what is known by neighbours is not") {
  const auto unit = [](int home, int first, bool is_own) {
    TouchedUnit made;
    made.home = static_cast<std::int16_t>(home);
    made.first_index = static_cast<std::int16_t>(first);
    made.is_own = is_own;
    return made;
  };
  const auto settled = [](std::vector<TouchedUnit> units) {
    settle_by_most(units);
    std::map<int, int> homes;
    for (const TouchedUnit& one : units) {
      ++homes[one.home];
    }
    return homes;
  };
  using Units = std::vector<TouchedUnit>;
  using Homes = std::map<int, int>;
  const auto with = [&](int count, const TouchedUnit& most, int others, const TouchedUnit& other) {
    Units units(static_cast<std::size_t>(count), most);
    units.insert(units.end(), static_cast<std::size_t>(others), other);
    return units;
  };
  // A thread's memory, whose last block was told of by the beginning of the next thread's.
  CHECK(settled(with(225, unit(0, 0, true), 32, unit(0, 1, false))) == Homes{{0, 257}});
  CHECK(settled(with(90, unit(0, 0, true), 10, unit(2, 0, true))) == Homes{{0, 100}});
  CHECK(settled(with(89, unit(0, 0, true), 11, unit(2, 0, true))) == Homes{{0, 89}, {2, 11}});
  // A third was more than its node has room for.
  CHECK(settled(with(66, unit(0, 0, true), 34, unit(1, 0, true))) == Homes{{0, 66}, {1, 34}});
  CHECK(settled(with(99, unit(0, 0, true), 1, unit(-1, 0, true))) == Homes{{0, 100}});
  CHECK(settled({}).empty());
}

TEST_CASE("a huge page lies on one node") {
  const auto on = [](std::initializer_list<int> homes) {
    std::vector<TouchedUnit> units;
    for (const int home : homes) {
      units.emplace_back();
      units.back().home = static_cast<std::int16_t>(home);
      units.back().is_own = true;
    }
    // The rest of the page, which has moved since.
    units.emplace_back();
    units.back().home = 9;
    return may_be_one_page(units);
  };
  CHECK(on({}));
  CHECK(on({-1, -1}));
  CHECK(on({2, -1, 2}));
  CHECK(on({-1, 0, 0}));
  CHECK_FALSE(on({0, 0, 1}));
  CHECK_FALSE(on({-1, 3, -1, 0}));
}

TEST_CASE("a unit that is a neighbour's as well is left out") {
  std::vector<TouchedUnit> units(4);
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i].number = 100 + i;
  }
  const auto numbers = [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint64_t> found;
    for (const TouchedUnit& unit : units_inside(units, begin, end)) {
      found.push_back(unit.number);
    }
    return found;
  };
  using Numbers = std::vector<std::uint64_t>;
  CHECK(numbers(100 * kUnitBytes, 104 * kUnitBytes) == Numbers{100, 101, 102, 103});
  CHECK(numbers(100 * kUnitBytes + kPageBytes, 104 * kUnitBytes) == Numbers{101, 102, 103});
  CHECK(numbers(100 * kUnitBytes, 104 * kUnitBytes - kPageBytes) == Numbers{100, 101, 102});
  CHECK(numbers(100 * kUnitBytes + kPageBytes, 101 * kUnitBytes) == Numbers{100, 101, 102, 103});
}
