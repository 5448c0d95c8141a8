// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/touches.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace nestbind::memory;

namespace {

Sample fault(std::uint64_t address, std::uint32_t thread, std::uint64_t weight = 1) {
  Sample sample;
  sample.address = address;
  sample.thread = thread;
  sample.weight = weight;
  return sample;
}

}  // namespace

TEST_CASE("the first fault of a page is its first touch, later ones are hints") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  touches.add(fault(kAt, 10), 100, 0, true);
  touches.add(fault(kAt + kPageBytes, 10, 3), 100, 0, true);
  touches.add(fault(kAt, 11), 200, 1, true);
  touches.add(fault(kAt + 5, 12, 4), 300, 2, true);
  const TouchedUnit* unit = touches.find(kAt / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(unit->first_thread == 10);
  CHECK(touches.codes()[unit->first_code] == 100);
  CHECK(unit->use[0] == 0);
  CHECK(unit->use[1] == 1);
  CHECK(unit->use[2] == 4);
  CHECK(unit->present == 3);
  CHECK(touches.first_touches() == 4);
  CHECK(touches.hints() == 5);
  CHECK(touches.find(kAt / kUnitBytes + 1) == nullptr);
}

TEST_CASE("a unit that was used where it is found was at first where who touched it first was") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  const auto found_on = [&](int index) {
    touches.note_home(*touches.find(kAt / kUnitBytes), index);
    touches.settle_homes();
    return touches.find(kAt / kUnitBytes)->home;
  };
  touches.add(fault(kAt, 10), 100, 2, true);
  CHECK(found_on(1) == 1);  // a policy of its own, or node 2 is full
  touches.add(fault(kAt, 11), 200, 3, true);
  CHECK(found_on(1) == 1);  // used from elsewhere: nothing has moved it to 1
  CHECK(found_on(3) == 2);
}

TEST_CASE("a use of which the samples come only after the look has moved a unit") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  touches.add(fault(kAt, 10), 100, 0, true);
  touches.note_home(*touches.find(kAt / kUnitBytes), 3);
  touches.add(fault(kAt, 11), 200, 3, true);
  touches.settle_homes();
  CHECK(touches.find(kAt / kUnitBytes)->home == 0);
  // Once settled it stays, whoever uses it.
  touches.note_home(*touches.find(kAt / kUnitBytes), 0);
  touches.settle_homes();
  touches.add(fault(kAt, 10), 200, 0, true);
  touches.settle_homes();
  CHECK(touches.find(kAt / kUnitBytes)->home == 0);
}

TEST_CASE(
    "where no sample of a unit told who touched it first, it is where it is found, if nobody used "
    "it there") {
  Touches touches;
  constexpr std::uint64_t kBlockNumber = 1000;
  constexpr std::uint64_t kAt = kBlockNumber * kBlockBytes;
  // The end of one thread's memory, and behind it the beginning of another's.
  touches.add(fault(kAt + 511 * kPageBytes, 11), 100, 1, true);
  bool present[512];
  std::ranges::fill(present, true);
  touches.take_fresh([&](std::uint64_t block) { touches.note_present(block, present); });
  TouchedUnit* unit = touches.find(kAt / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK_FALSE(unit->is_own);
  CHECK(touches.find(kAt / kUnitBytes + 31)->is_own);
  touches.note_home(*unit, 0);
  touches.settle_homes();
  CHECK(unit->home == 0);
  touches.note_home(*unit, 0);
  touches.add(fault(kAt, 10), 200, 0, true);
  touches.settle_homes();
  CHECK(unit->home == -1);
}

TEST_CASE("the earliest touch is the first, in whatever order the processors' samples come") {
  Touches touches;
  constexpr std::uint64_t kAt = 0x7f0000000000;
  const auto at_time = [](Sample sample, std::uint64_t time) {
    sample.time = time;
    return sample;
  };
  touches.add(at_time(fault(kAt, 11), 2000), 200, 3, true);  // a hint
  touches.add(at_time(fault(kAt, 10), 1000), 100, 0, true);
  const TouchedUnit* unit = touches.find(kAt / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(touches.is_hint(at_time(fault(kAt, 12), 1000)));
  CHECK_FALSE(touches.is_hint(at_time(fault(kAt, 12), 999)));
  CHECK_FALSE(touches.is_hint(at_time(fault(kAt + 7 * kPageBytes, 12), 3000)));
  CHECK_FALSE(touches.is_hint(at_time(fault(kAt + kUnitBytes, 12), 3000)));
  CHECK(unit->first_thread == 10);
  CHECK(unit->first_index == 0);
  CHECK(touches.codes()[unit->first_code] == 100);
  CHECK(unit->use[0] == 0);
  CHECK(unit->use[3] == 1);
  CHECK(touches.first_touches() == 1);
  CHECK(touches.hints() == 1);
  // Of another page of the unit.
  touches.add(at_time(fault(kAt + kPageBytes, 12), 500), 300, 2, true);
  CHECK(unit->first_thread == 12);
  CHECK(unit->use[0] == 0);
}

TEST_CASE("where there are no hints memory is touched anew") {
  Touches touches;
  touches.add(fault(0x100000, 10), 100, 0, false);
  touches.add(fault(0x100000, 11), 200, 1, false);
  const TouchedUnit* unit = touches.find(0x100000 / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(unit->first_thread == 11);
  CHECK(unit->use[1] == 0);
  CHECK(touches.hints() == 0);
}

TEST_CASE("what no sample told of is its block's") {
  Touches touches;
  constexpr std::uint64_t kBlockNumber = 1000;
  constexpr std::uint64_t kAt = kBlockNumber * kBlockBytes;
  touches.add(fault(kAt + 20 * kPageBytes, 10), 100, 0, true);
  std::vector<std::uint64_t> fresh;
  bool present[512] = {};
  for (int page = 0; page < 64; ++page) {
    present[page] = true;
  }
  touches.take_fresh([&](std::uint64_t block) {
    fresh.push_back(block);
    touches.note_present(block, present);
  });
  CHECK(fresh == std::vector<std::uint64_t>{kBlockNumber});
  for (std::uint64_t unit = 0; unit < 4; ++unit) {
    const TouchedUnit* found = touches.find(kAt / kUnitBytes + unit);
    REQUIRE(found != nullptr);
    CHECK(found->first_thread == 10);
    CHECK(found->present == 0xffff);
  }
  CHECK(touches.find(kAt / kUnitBytes + 4) == nullptr);
  // A fault there is a hint now.
  touches.add(fault(kAt, 11), 200, 3, true);
  CHECK(touches.find(kAt / kUnitBytes)->use[3] == 1);
  CHECK(touches.find(kAt / kUnitBytes)->first_thread == 10);
}

TEST_CASE("what was there before is nobody's first touch") {
  Touches touches;
  bool present[512] = {};
  present[0] = true;
  touches.adopt(7, present);
  const TouchedUnit* unit = touches.find(7 * kBlockBytes / kUnitBytes);
  REQUIRE(unit != nullptr);
  CHECK(unit->first_pages == 0);
  touches.add(fault(7 * kBlockBytes, 11), 200, 3, true);
  CHECK(touches.find(7 * kBlockBytes / kUnitBytes)->first_pages == 0);
  CHECK(touches.find(7 * kBlockBytes / kUnitBytes)->use[3] == 1);
}

TEST_CASE("what is forgotten leaves the rest as it was") {
  Touches touches;
  constexpr std::uint64_t kUnits = 20000;
  for (std::uint64_t unit = 1; unit <= kUnits; ++unit) {
    touches.add(fault(unit * kUnitBytes, static_cast<std::uint32_t>(unit)), 100, 0, true);
  }
  touches.forget(100 * kUnitBytes, 200 * kUnitBytes);
  for (std::uint64_t unit = 1; unit <= kUnits; ++unit) {
    const TouchedUnit* found = touches.find(unit);
    const bool is_forgotten = unit >= 100 && unit < 200;
    REQUIRE((found == nullptr) == is_forgotten);
    CHECK((is_forgotten || found->first_thread == unit));
  }
}
