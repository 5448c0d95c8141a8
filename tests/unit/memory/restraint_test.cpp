// SPDX-License-Identifier: BSD-3-Clause
#include "memory/restraint.hpp"

#include <catch2/catch.hpp>

using namespace nestbind::memory;

namespace {

// Of the only region.
Traffics alone(const Traffic& traffic) { return {traffic, traffic}; }

const Traffics kOnOneNode = alone({{100, 0, 0, 0}, 25});
const Traffics kSpread = alone({{25, 25, 25, 25}, 25});
const Traffics kMoreLocal = alone({{100, 0, 0, 0}, 26});
const Traffics kNothingSeen = alone({{0, 0, 0, 0}, 0});
constexpr std::uint64_t kRegion = 7;
constexpr std::uintptr_t kUnit = 65536;

void pass(Restraint& restraint, int intervals) {
  for (int i = 0; i < intervals; ++i) {
    restraint.begin();
  }
}

// What is said of a region that was moved, and two intervals later looks like this.
Standing judged(const Traffics& now) {
  Restraint restraint;
  restraint.begin();
  restraint.moved(kUnit, kRegion, kOnOneNode);
  pass(restraint, 2);
  return restraint.judge(kRegion, now);
}

}  // namespace

TEST_CASE("a moved unit is left alone for 8 intervals, and after two moves for ever") {
  Restraint restraint;
  restraint.begin();
  CHECK(restraint.may_move(kUnit));
  restraint.moved(kUnit, kRegion, kOnOneNode);
  CHECK_FALSE(restraint.may_move(kUnit));
  CHECK(restraint.may_move(2 * kUnit));
  for (int i = 0; i < 8; ++i) {
    restraint.begin();
    CHECK_FALSE(restraint.may_move(kUnit));
  }
  restraint.begin();
  CHECK(restraint.may_move(kUnit));
  restraint.moved(kUnit, kRegion, kOnOneNode);
  pass(restraint, 1000);
  CHECK_FALSE(restraint.may_move(kUnit));
}

TEST_CASE("moving ends where it does not help, two intervals later") {
  CHECK(judged(kOnOneNode) == Standing::kStopped);
  CHECK(judged(alone({{100, 0, 0, 0}, 24})) == Standing::kStopped);
  CHECK(judged(kSpread) == Standing::kFree);
  CHECK(judged(kMoreLocal) == Standing::kFree);
  // The same, of more samples.
  CHECK(judged(alone({{200, 0, 0, 0}, 50})) == Standing::kStopped);
  CHECK(judged(kNothingSeen) == Standing::kFree);
}

TEST_CASE("a region that makes all of them more even is not stopped for being less so itself") {
  CHECK(judged({kOnOneNode.region, kSpread.all}) == Standing::kFree);
  CHECK(judged({kSpread.region, kOnOneNode.all}) == Standing::kFree);
}

TEST_CASE("a region is judged once for each time it was moved") {
  Restraint restraint;
  restraint.begin();
  CHECK(restraint.judge(kRegion, kOnOneNode) == Standing::kFree);
  restraint.moved(kUnit, kRegion, kOnOneNode);
  restraint.begin();
  CHECK(restraint.judge(kRegion, kOnOneNode) == Standing::kFree);
  // What it was before is what it was before the first of these moves.
  restraint.moved(2 * kUnit, kRegion, kSpread);
  restraint.begin();
  CHECK(restraint.judge(kRegion, kSpread) == Standing::kFree);
  pass(restraint, 5);
  CHECK(restraint.judge(kRegion, kOnOneNode) == Standing::kFree);
  restraint.moved(3 * kUnit, kRegion, kOnOneNode);
  pass(restraint, 2);
  // Nothing seen: it is judged when something is.
  CHECK(restraint.judge(kRegion, kNothingSeen) == Standing::kFree);
  restraint.begin();
  CHECK(restraint.judge(kRegion, kOnOneNode) == Standing::kStopped);
  // For ever, and no other region.
  pass(restraint, 100);
  CHECK(restraint.judge(kRegion, kSpread) == Standing::kStopped);
  CHECK(restraint.standing(kRegion) == Standing::kStopped);
  CHECK(restraint.standing(kRegion + 1) == Standing::kFree);
}

TEST_CASE("what is mapped anew is free") {
  Restraint restraint;
  restraint.begin();
  restraint.moved(kUnit, kRegion, kOnOneNode);
  restraint.moved(3 * kUnit, kRegion, kOnOneNode);
  pass(restraint, 2);
  REQUIRE(restraint.judge(kRegion, kOnOneNode) == Standing::kStopped);
  restraint.forget(kRegion, {kUnit, 3 * kUnit});
  CHECK(restraint.standing(kRegion) == Standing::kFree);
  CHECK(restraint.may_move(kUnit));
  CHECK_FALSE(restraint.may_move(3 * kUnit));
}

TEST_CASE("a node with less than 5 % free is given nothing") {
  CHECK(has_room(50, 1000));
  CHECK_FALSE(has_room(49, 1000));
  CHECK(has_room(std::uint64_t{1} << 56, std::uint64_t{1} << 57));
}
