// SPDX-License-Identifier: BSD-3-Clause
// Owners that change by what was measured, in a simulation of steps by the library's own functions.
#include "bench/balance/steps.hpp"

#include <catch2/catch.hpp>

namespace nestbind::simulation {
namespace {

constexpr int kSteps = 60;
constexpr int kQuarter = balance::kStealableByDefault;

struct Mean {
  double time = 0;
  double remote = 0;
  double moved = 0;
};

Mean mean_of(Shape shape, Way way, int stealable) {
  constexpr int kRounds = 20;
  Mean mean;
  for (int round = 0; round < kRounds; ++round) {
    const Outcome outcome =
        simulate_steps(shape, way, stealable, kSteps, static_cast<std::uint64_t>(round));
    REQUIRE(outcome.is_good);
    mean.time += outcome.time / kRounds;
    mean.remote += outcome.remote / kRounds;
    mean.moved += static_cast<double>(outcome.moved) / kRounds;
  }
  return mean;
}

TEST_CASE("even blocks stay where they are, and nothing is lost") {
  const Mean fixed = mean_of(Shape::kEven, Way::kLists, 0);
  CHECK(fixed.time == Approx(1.015).margin(0.005));
  const Mean balanced = mean_of(Shape::kEven, Way::kBalanced, kQuarter);
  CHECK(balanced.time <= 1.02);
  CHECK(balanced.moved == 0);
  CHECK(balanced.remote < 1);
}

TEST_CASE("a hot sixteenth is shared out, and little is far from home") {
  CHECK(mean_of(Shape::kHot, Way::kLists, 0).time == Approx(3.368).margin(0.03));
  const Mean stolen = mean_of(Shape::kHot, Way::kLists, balance::kStealableAtFirst);
  const Mean balanced = mean_of(Shape::kHot, Way::kBalanced, kQuarter);
  CHECK(balanced.time <= 1.20);
  CHECK(balanced.time < 0.75 * stolen.time);
  CHECK(balanced.remote < 15);
  // Without stealing, as few as a seventh move, once.
  const Mean own = mean_of(Shape::kHot, Way::kBalanced, 0);
  CHECK(own.time <= 1.30);
  CHECK(own.moved <= kBlocks / 5);
}

TEST_CASE("patches are shared out") {
  const Mean stolen = mean_of(Shape::kPatches, Way::kLists, balance::kStealableAtFirst);
  const Mean balanced = mean_of(Shape::kPatches, Way::kBalanced, kQuarter);
  CHECK(balanced.time <= 1.32);
  CHECK(balanced.time < stolen.time);
}

TEST_CASE("a ramp is no worse than with stealing alone") {
  const Mean stolen = mean_of(Shape::kRamp, Way::kLists, balance::kStealableAtFirst);
  const Mean balanced = mean_of(Shape::kRamp, Way::kBalanced, kQuarter);
  CHECK(balanced.time <= 1.05 * stolen.time);
}

TEST_CASE("blocks that are disturbed by chance hardly move") {
  const Mean fixed = mean_of(Shape::kDisturbed, Way::kLists, 0);
  const Mean stolen = mean_of(Shape::kDisturbed, Way::kLists, kQuarter);
  const Mean balanced = mean_of(Shape::kDisturbed, Way::kBalanced, kQuarter);
  CHECK(balanced.moved < kBlocks / 10);
  CHECK(balanced.time < fixed.time);
  CHECK(balanced.time <= 1.02 * stolen.time);
}

// To and fro, in several ways: no owner is better for long, and each look could be deceived.
TEST_CASE("loads that alternate do not have owners move to and fro") {
  constexpr int kLong = 600;
  for (const Shape shape : {Shape::kAlternating, Shape::kByThree, Shape::kByFour, Shape::kByChance,
                            Shape::kAlternatingDisturbed}) {
    double time = 0;
    double by_stealing = 0;
    for (std::uint64_t round = 0; round < 4; ++round) {
      INFO("shape " << static_cast<int>(shape) << ", round " << round);
      const Outcome balanced = simulate_steps(shape, Way::kBalanced, kQuarter, kLong, round);
      REQUIRE(balanced.is_good);
      CHECK(balanced.last_change <= 128);  // and none in the 472 steps behind
      time += balanced.time;
      by_stealing +=
          simulate_steps(shape, Way::kLists, balance::kStealableAtFirst, kLong, round).time;
    }
    CHECK(time <= 1.05 * by_stealing);
  }
}

}  // namespace
}  // namespace nestbind::simulation
