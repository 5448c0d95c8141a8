// SPDX-License-Identifier: BSD-3-Clause
// The paper's tables, as far as they can be: its programs as loads and links, and who is moved.
#include "bench/balance/programs.hpp"
#include "helpers.hpp"

namespace nestbind::balance::test {
namespace {

constexpr double kAlpha = 1e-5;
constexpr int kGraphs = 200;

struct Means {
  double moved = 0;
  double by_greedy = 0;
  double before = 0;  // imbalance
  double after = 0;
  double change() const { return 100 * (after / before - 1); }
};

// One program, or many of them.
template <typename Make>
Means simulate(const simulation::Machine& on, int rounds, Make make, double alpha = kAlpha) {
  Means sum;
  for (int round = 0; round < rounds; ++round) {
    const simulation::Objects program = make(static_cast<std::uint64_t>(round));
    const Objects objects = program.view();
    const Machine machine = on.view();
    const Ints begin = program.begin(machine.slots);
    const Done done = by_numa(objects, machine, begin, alpha);
    sum.moved += done.moved;
    sum.by_greedy += by_greedy(objects, machine, begin).moved;
    sum.before += worth(objects, machine, begin).imbalance();
    sum.after += worth(objects, machine, done.place).imbalance();
  }
  for (double* figure : {&sum.moved, &sum.by_greedy, &sum.before, &sum.after}) {
    *figure /= rounds;
  }
  return sum;
}

bool is_within(double value, double paper, double most) {
  return value >= paper - most && value <= paper + most;
}

TEST_CASE("lb_test moves as many as in the paper") {
  const Means small = simulate(simulation::numa16(), kGraphs, simulation::lb_test);
  CHECK(is_within(small.moved, 40, 4));
  CHECK(is_within(small.by_greedy, 188, 4));
  CHECK(is_within(small.change(), -17, 7));
  const Means large = simulate(simulation::numa32(), kGraphs, simulation::lb_test);
  CHECK(is_within(large.moved, 48, 4));
  CHECK(is_within(large.by_greedy, 194, 4));
  CHECK(is_within(large.change(), -28, 7));
}

TEST_CASE("jacobi2D moves as many as in the paper") {
  const auto jacobi = [](std::uint64_t) { return simulation::jacobi2d(); };
  const Means small = simulate(simulation::numa16(), 1, jacobi);
  CHECK(small.moved == 25);
  CHECK(is_within(small.by_greedy, 94, 4));
  CHECK(small.before == Approx(1.7454545));
  CHECK(small.after == Approx(1.0472727));
  CHECK(is_within(small.change(), -41, 7));
  CHECK(100 / small.after >= 93.5);  // the efficiency
  const Means large = simulate(simulation::numa32(), 1, jacobi);
  CHECK(large.moved == 32);
  CHECK(is_within(large.by_greedy, 97, 4));
  CHECK(is_within(large.change(), -36, 7));
}

TEST_CASE("kNeighbor's equal loads leave nothing to be moved by") {
  // The paper has 25 and 57: there, what is measured is input and output. Here it is the rest of a
  // division, 200 by 16 or 32.
  const auto equal = [](std::uint64_t seed) { return simulation::k_neighbor(seed, 0); };
  const Means small = simulate(simulation::numa16(), 1, equal);
  CHECK(small.moved <= 8);
  CHECK(is_within(small.by_greedy, 189, 4));
  CHECK(small.after == Approx(small.before));
  const Means large = simulate(simulation::numa32(), 1, equal);
  CHECK(large.moved <= 8);
  CHECK(is_within(large.by_greedy, 194, 4));
}

TEST_CASE("what a message costs hardly matters to how many are moved") {
  const Means usual = simulate(simulation::numa32(), kGraphs, simulation::lb_test);
  for (const double alpha : {1e-4, 1e-3}) {
    const Means other = simulate(simulation::numa32(), kGraphs, simulation::lb_test, alpha);
    CHECK(is_within(other.moved, usual.moved, 6));
  }
}

TEST_CASE("a balanced program is left alone") {
  for (int round = 0; round < 10; ++round) {
    const simulation::Objects program = simulation::lb_test(static_cast<std::uint64_t>(round));
    const simulation::Machine machine = simulation::numa16();
    const Done once = by_numa(program.view(), machine.view(), program.begin(16), kAlpha);
    const Done twice = by_numa(program.view(), machine.view(), once.place, kAlpha);
    CHECK(twice.moved <= once.moved);
    CHECK(worth(program.view(), machine.view(), twice.place).imbalance() < 1.05);
  }
}

}  // namespace
}  // namespace nestbind::balance::test
