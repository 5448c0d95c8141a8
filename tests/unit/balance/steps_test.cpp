// SPDX-License-Identifier: BSD-3-Clause
// Owners that change by what was measured, in a simulation of steps by the library's own functions.
#include "bench/balance/steps.hpp"

#include <catch2/catch.hpp>

namespace nestbind::simulation {
namespace {

constexpr int kSteps = 2000;
constexpr double kNoises[] = {0.01, 0.05};
constexpr int kOneNode = 1;

TEST_CASE("even, alternating and noisy loads move no owner") {
  for (const Shape shape : {Shape::kEven, Shape::kAlternating, Shape::kByThree, Shape::kByFour,
                            Shape::kByChance, Shape::kDisturbed, Shape::kAlternatingDisturbed}) {
    for (const double noise : kNoises) {
      for (const int nodes : {kOneNode, kNodes}) {
        INFO("shape " << static_cast<int>(shape) << ", noise " << noise << ", nodes " << nodes);
        const Outcome outcome = simulate_steps(shape, "balanced", kSteps, 1, noise, nodes);
        CHECK(outcome.is_good);
        CHECK(outcome.moved == 0);
      }
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
  for (const double noise : kNoises) {
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      INFO("noise " << noise << ", seed " << seed);
      const auto after_change = [&](Shape shape) {
        return simulate_steps(shape, "balanced", 800, seed, noise, kOneNode).mean(kBack, 800);
      };
      const auto from_begin = [&](Shape shape) {
        return simulate_steps(shape, "balanced", 400, seed, noise, kOneNode).mean(100, 400);
      };
      CHECK(after_change(Shape::kMoved) <= 1.05 * from_begin(Shape::kHot));
      CHECK(after_change(Shape::kEvenThenHot) <= 1.05 * from_begin(Shape::kHot));
      CHECK(after_change(Shape::kRampTurned) <= 1.05);
    }
  }
}

TEST_CASE("owners follow loads that drift") {
  for (const double noise : kNoises) {
    for (std::uint64_t seed = 0; seed < 1; ++seed) {
      CHECK(simulate_steps(Shape::kDrift, "balanced", kSteps, seed, noise, kOneNode).mean() <=
            1.15);
      CHECK(simulate_steps(Shape::kWave, "balanced", kSteps, seed, noise, kOneNode).mean() <= 1.15);
    }
  }
}

}  // namespace
}  // namespace nestbind::simulation
