// SPDX-License-Identifier: BSD-3-Clause
// A simulation must give the numbers in the paper's tables.
#include <algorithm>

#include "bench/balance/programs.hpp"
#include "helpers.hpp"

namespace nestbind::balance::test {
namespace {

constexpr double kAlpha = 1e-5;
constexpr int kGraphs = 200;

struct Means {
  double moved = 0;
  double by_greedy = 0;
  double before = 0;
  double after = 0;
  double change() const { return 100 * (after / before - 1); }
};

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

TEST_CASE("lb_test moves as many objects as in the paper") {
  const Means small = simulate(simulation::numa16(), kGraphs, simulation::lb_test);
  CHECK(is_within(small.moved, 40, 4));
  CHECK(is_within(small.by_greedy, 188, 4));
  CHECK(is_within(small.change(), -17, 7));
  const Means large = simulate(simulation::numa32(), kGraphs, simulation::lb_test);
  CHECK(is_within(large.moved, 48, 4));
  CHECK(is_within(large.by_greedy, 194, 4));
  CHECK(is_within(large.change(), -28, 7));
}

TEST_CASE("jacobi2D moves as many objects as in the paper") {
  const auto jacobi = [](std::uint64_t) { return simulation::jacobi2d(); };
  const Means small = simulate(simulation::numa16(), 1, jacobi);
  CHECK(small.moved == 25);
  CHECK(is_within(small.by_greedy, 94, 4));
  CHECK(small.before == Approx(1.7454545));
  CHECK(small.after == Approx(1.0472727));
  CHECK(is_within(small.change(), -41, 7));
  CHECK(100 / small.after >= 93.5);  // the paper's efficiency
  const Means large = simulate(simulation::numa32(), 1, jacobi);
  CHECK(large.moved == 32);
  CHECK(is_within(large.by_greedy, 97, 4));
  CHECK(is_within(large.change(), -36, 7));
}

TEST_CASE("equal loads in kNeighbor move hardly any object") {
  // In the paper the loads are measured, so 25 and 57 objects move. Here objects move only because
  // 200 is not a multiple of 16 or 32.
  const auto equal = [](std::uint64_t seed) { return simulation::k_neighbor(seed, 0); };
  const Means small = simulate(simulation::numa16(), 1, equal);
  CHECK(small.moved <= 8);
  CHECK(is_within(small.by_greedy, 189, 4));
  CHECK(small.after == Approx(small.before));
  const Means large = simulate(simulation::numa32(), 1, equal);
  CHECK(large.moved <= 8);
  CHECK(is_within(large.by_greedy, 194, 4));
}

TEST_CASE("the cost of a message hardly changes the number of moved objects") {
  const Means usual = simulate(simulation::numa32(), kGraphs, simulation::lb_test);
  for (const double alpha : {1e-4, 1e-3}) {
    const Means other = simulate(simulation::numa32(), kGraphs, simulation::lb_test, alpha);
    CHECK(is_within(other.moved, usual.moved, 6));
  }
}

// Charm++'s RefineLB: the heaviest slot gives away its largest object that fits on a light slot.
// RefineLB tries limits from 1.02 times the mean to the maximum, in steps of 0.01.
bool refine_lb(const Objects& objects, int slots, double limit, double mean, Ints& place) {
  Numbers load(static_cast<std::size_t>(slots));
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  for (int i = 0; i < objects.count; ++i) {
    load[at(place[at(i)])] += objects.load[i];
  }
  for (;;) {
    const auto donor = static_cast<int>(std::max_element(load.begin(), load.end()) - load.begin());
    if (load[at(donor)] <= limit) {
      return true;
    }
    int best = -1;
    int to = -1;
    for (int slot = 0; slot < slots; ++slot) {
      for (int i = 0; load[at(slot)] < mean && i < objects.count; ++i) {
        if (place[at(i)] == donor && objects.load[i] + load[at(slot)] < limit &&
            (best < 0 || objects.load[i] > objects.load[best])) {
          best = i;
          to = slot;
        }
      }
    }
    if (best < 0) {
      return false;
    }
    load[at(donor)] -= objects.load[best];
    load[at(to)] += objects.load[best];
    place[at(best)] = to;
  }
}

Done by_refine_lb(const Objects& objects, int slots, const Worth& before, const Ints& begin) {
  constexpr double kStep = 0.01;
  constexpr double kFirst = 1.02;
  const auto try_limit = [&](int steps, Ints& place) {
    place = begin;
    return refine_lb(objects, slots, before.mean * (kFirst + steps * kStep), before.mean, place);
  };
  Done done{0, begin};
  Ints place;
  int kept = static_cast<int>((before.imbalance() - kFirst) / kStep + 1);
  for (int missed = -1; kept - missed > 1;) {
    const int middle = missed < 0 ? 0 : (kept + missed) / 2;
    if (try_limit(middle, place)) {
      kept = middle;
      done.place = place;
    } else {
      missed = middle;
    }
  }
  for (std::size_t i = 0; i < begin.size(); ++i) {
    done.moved += done.place[i] != begin[i] ? 1 : 0;
  }
  return done;
}

TEST_CASE("refine moves no more objects than RefineLB, and its heaviest slot is no heavier") {
  for (const simulation::Machine& on : {simulation::numa16(), simulation::numa32()}) {
    const Machine machine = on.view();
    double moved = 0;
    double theirs_moved = 0;
    double heaviest = 0;
    double theirs = 0;
    const auto compare = [&](const simulation::Objects& program) {
      const Objects objects = program.view();
      const Ints begin = program.begin(machine.slots);
      const Worth before = worth(objects, machine, begin);
      const Done ours = by_rules(Algorithm::kRefine, objects, machine, begin, {.tolerance = 0.02});
      const Done other = by_refine_lb(objects, machine.slots, before, begin);
      moved += ours.moved;
      theirs_moved += other.moved;
      heaviest += worth(objects, machine, ours.place).imbalance();
      theirs += worth(objects, machine, other.place).imbalance();
      return ours.moved;
    };
    CHECK(compare(simulation::jacobi2d()) <= (machine.slots == 16 ? 16 : 15));
    CHECK(heaviest <= theirs);
    moved = theirs_moved = heaviest = theirs = 0;
    for (std::uint64_t round = 0; round < kGraphs; ++round) {
      compare(simulation::lb_test(round));
    }
    CHECK(moved <= theirs_moved);
    CHECK(heaviest <= theirs);
  }
}

TEST_CASE("noise in equal loads moves no object") {
  constexpr double kNoise = 0.05;
  for (const simulation::Machine& on : {simulation::numa16(), simulation::machine(5, 4, 1.5)}) {
    const Machine machine = on.view();
    for (const Algorithm algorithm : {Algorithm::kNuma, Algorithm::kGreedy, Algorithm::kRefine}) {
      int moved = 0;
      int without = 0;
      for (std::uint64_t call = 0; call < 50; ++call) {
        const simulation::Objects program = simulation::k_neighbor(call, kNoise);
        const Ints begin = program.begin(machine.slots);
        moved += by_rules(algorithm, program.view(), machine, begin,
                          {.alpha = kAlpha, .tolerance = 0.02})
                     .moved;
        without += by_rules(algorithm, program.view(), machine, begin, {.alpha = kAlpha}).moved;
      }
      CHECK(moved == 0);
      if (algorithm == Algorithm::kNuma && machine.slots == 16) {
        CHECK(without > 0);
      }
    }
  }
}

TEST_CASE("the limit of moves is kept, and each move is worth its price") {
  const simulation::Machine on = simulation::numa16();
  const Machine machine = on.view();
  const simulation::Objects program = simulation::lb_test(1);
  const Ints begin = program.begin(machine.slots);
  const double before = worth(program.view(), machine, begin).heaviest;
  for (const Algorithm algorithm : {Algorithm::kNuma, Algorithm::kGreedy, Algorithm::kRefine}) {
    for (const int most : {0, 1, 4, 8}) {
      const Done done =
          by_rules(algorithm, program.view(), machine, begin, {.alpha = kAlpha, .most = most});
      CHECK(done.moved <= most);
      CHECK(worth(program.view(), machine, done.place).heaviest <= before);
    }
    const Done dear =
        by_rules(algorithm, program.view(), machine, begin, {.alpha = kAlpha, .price = 0.05});
    const Done free = by_rules(algorithm, program.view(), machine, begin, {.alpha = kAlpha});
    CHECK(dear.moved <= free.moved);
    CHECK(by_rules(algorithm, program.view(), machine, begin, {.alpha = kAlpha, .price = 100})
              .moved == 0);
  }
}

TEST_CASE("a balanced program stays as it is") {
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
