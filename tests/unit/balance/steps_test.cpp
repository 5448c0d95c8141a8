// SPDX-License-Identifier: BSD-3-Clause
// Owners that change by what was measured, in a simulation of steps by the library's own functions.
#include "bench/balance/steps.hpp"

#include <catch2/catch.hpp>
#include <utility>

namespace nestbind::simulation {
namespace {

constexpr int kSteps = 2000;
constexpr double kNoises[] = {0.01, 0.05};
constexpr int kOneNode = 1;

TEST_CASE("even, alternating and noisy loads move no owner") {
  constexpr int kMany = 300;
  for (const Shape shape : {Shape::kEven, Shape::kAlternating, Shape::kByThree, Shape::kByFour,
                            Shape::kByChance, Shape::kDisturbed, Shape::kAlternatingDisturbed}) {
    for (const auto& [noise, nodes] : {std::pair{0.01, kOneNode}, {0.05, kNodes}}) {
      INFO("shape " << static_cast<int>(shape) << ", noise " << noise << ", nodes " << nodes);
      const bool is_long = shape == Shape::kByChance && nodes == kNodes;
      const Outcome outcome =
          simulate_steps(shape, "balanced", is_long ? kSteps : kMany, 1, noise, nodes);
      CHECK(outcome.is_good);
      CHECK(outcome.moved == 0);
    }
  }
}

// What a program sees that has ten executions to learn.
TEST_CASE("a hot sixteenth is shared out from the eleventh step on") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (const double noise : kNoises) {
      INFO("seed " << seed << ", noise " << noise);
      const Outcome outcome =
          simulate_steps(Shape::kHot, "balanced,steal=0", 20, seed, noise, kOneNode);
      CHECK(outcome.mean(10, 20) <= 1.15);
    }
  }
}

TEST_CASE("a hot sixteenth is shared out, and little is far from home") {
  CHECK(simulate_steps(Shape::kHot, "balanced,every=1000000,steal=0", 60, 1).mean() ==
        Approx(3.368).margin(0.03));
  const Outcome stolen = simulate_steps(Shape::kHot, "balanced,every=1000000", 200, 1);
  const Outcome balanced = simulate_steps(Shape::kHot, "balanced", 200, 1);
  CHECK(balanced.mean(20, 200) <= 1.20);
  CHECK(balanced.mean() < 0.75 * stolen.mean());
  CHECK(balanced.remote < 15);
}

// Within 5 % of what the same loads have come to that were so from the begin.
TEST_CASE("after a lasting change owners are as good as new within a hundred steps") {
  constexpr int kBack = kChange + 100;
  constexpr int kEnd = kBack + 50;
  for (const double noise : kNoises) {
    INFO("noise " << noise);
    const auto after_change = [&](Shape shape) {
      return simulate_steps(shape, "balanced", kEnd, 0, noise, kOneNode).mean(kBack, kEnd);
    };
    const double from_begin =
        simulate_steps(Shape::kHot, "balanced", 150, 0, noise, kOneNode).mean(100, 150);
    CHECK(after_change(Shape::kMoved) <= 1.05 * from_begin);
    CHECK(after_change(Shape::kEvenThenHot) <= 1.05 * from_begin);
    CHECK(after_change(Shape::kRampTurned) <= 1.05);
  }
}

TEST_CASE("owners follow loads that drift") {
  constexpr int kHalf = 1000;  // of the way through the loop
  CHECK(simulate_steps(Shape::kDrift, "balanced", kSteps, 0, 0.05, kOneNode).mean() <= 1.15);
  CHECK(simulate_steps(Shape::kWave, "balanced", kHalf, 0, 0.05, kOneNode).mean() <= 1.15);
}

}  // namespace
}  // namespace nestbind::simulation
