// SPDX-License-Identifier: BSD-3-Clause
// Compares the algorithms with results computed by hand, and with a second implementation of the
// paper.
#include <algorithm>
#include <limits>
#include <numeric>

#include "helpers.hpp"

namespace nestbind::balance::test {
namespace {

TEST_CASE("without messages the heaviest objects go to the emptiest slots") {
  const Given objects{{4, 1, 1, 2}, {}, {}, {}, {}, {}};
  const Slots two = slots(1, 2, 1);
  // Objects 0, 3, 1 and 2 are placed in this order. Only object 1 moves. Without object 1, slot 0
  // has the load 4, and slot 1 has the load 3.
  CHECK(by_numa(objects.view(), two.view(), {0, 0, 1, 1}, 1) == Done{1, {0, 1, 1, 1}});
  // Object 0 goes to slot 0, and the others to slot 1, which has less load.
  CHECK(by_greedy(objects.view(), two.view(), {1, 1, 0, 0}) == Done{3, {0, 1, 1, 1}});
  CHECK(by_greedy(objects.view(), two.view(), {0, 1, 1, 1}) == Done{0, {0, 1, 1, 1}});
}

TEST_CASE("the slot with the lowest number is taken among slots of equal cost") {
  const Given objects{{1, 1, 1}, {}, {}, {}, {}, {}};
  const Slots four = slots(2, 2, 2);
  CHECK(by_numa(objects.view(), four.view(), {3, 3, 3}, 1) == Done{3, {0, 1, 2}});
  CHECK(by_greedy(objects.view(), four.view(), {3, 3, 3}) == Done{3, {0, 1, 2}});
}

TEST_CASE("messages keep objects near their neighbours") {
  // The cost of object 0 is 20 * alpha on slot 0, and 1 - 10 * alpha on slot 1.
  const Given objects{{1, 1}, {0, 1, 2}, {1, 0}, {10, 10}, {}, {}};
  const Slots two = slots(2, 1, 2);
  CHECK(by_numa(objects.view(), two.view(), {0, 1}, 0.01) == Done{0, {0, 1}});
  // Here slot 1 is cheaper for object 0. Object 1 stays on slot 1.
  CHECK(by_numa(objects.view(), two.view(), {0, 1}, 0.05) == Done{1, {1, 1}});
  Slots uneven = two;
  uneven.factor = {1, 1.5, 9, 1};
  CHECK(by_numa(objects.view(), uneven.view(), {0, 1}, 0.039) == Done{1, {0, 0}});
  CHECK(by_numa(objects.view(), uneven.view(), {0, 1}, 0.041) == Done{1, {1, 1}});
}

TEST_CASE("an object's home counts as a neighbour that does not move") {
  const Given near{{1, 1}, {}, {}, {}, {1, -1}, {}};
  const Slots two = slots(2, 1, 2);
  // The cost of object 0 is 2 * alpha on slot 0, and 1 - alpha on slot 1.
  CHECK(by_numa(near.view(), two.view(), {0, 1}, 0.3) == Done{0, {0, 1}});
  CHECK(by_numa(near.view(), two.view(), {0, 1}, 0.4) == Done{2, {1, 0}});
  const Given often{{1, 1}, {}, {}, {}, {1, -1}, {100, 0}};
  CHECK(by_numa(often.view(), two.view(), {0, 1}, 0.003) == Done{0, {0, 1}});
  CHECK(by_numa(often.view(), two.view(), {0, 1}, 0.004) == Done{2, {1, 0}});
}

TEST_CASE("by default all messages together cost a twentieth of all loads") {
  Given given;
  given.load = {10, 20, 30};
  CHECK(usual_alpha(given.view()) == 0);  // no messages
  given.first = {0, 1, 3, 3};
  given.other = {1, 0, 1};
  CHECK(usual_alpha(given.view()) == Approx(0.05 * 60 / 2));
  given.messages = {4, 6, 50};
  CHECK(usual_alpha(given.view()) == Approx(0.05 * 60 / 10));
  given.home = {0, -1, 1};
  CHECK(usual_alpha(given.view()) == Approx(0.05 * 60 / 12));
  given.home_messages = {15, 100, 25};
  CHECK(usual_alpha(given.view()) == Approx(0.05 * 60 / 50));
  given.messages = given.home_messages = {0, 0, 0};
  CHECK(usual_alpha(given.view()) == 0);
  given.messages = {1e-300, 1e-300, 0};
  given.load = {kLargest, kLargest, kLargest};
  CHECK(usual_alpha(given.view()) == kLargest);
}

TEST_CASE("heavy slots give objects away until no slot is above the limit") {
  const Slots two = slots(1, 2, 1);
  // If an object of load 2 moves, slot 1 has load 4, which is 14.3 % above the mean.
  const Given objects{{2, 3, 2}, {}, {}, {}, {}, {}};
  CHECK(by_refine(objects.view(), two.view(), {0, 0, 1}, 0) == Done{1, {1, 0, 1}});
  CHECK(by_refine(objects.view(), two.view(), {0, 0, 1}, 0.43) == Done{0, {0, 0, 1}});
  CHECK(by_refine(objects.view(), two.view(), {1, 0, 1}, 0) == Done{0, {1, 0, 1}});
}

TEST_CASE("there may be no objects, or one slot") {
  const Slots one = slots(1, 1, 1);
  const Given nothing;
  CHECK(by_numa(nothing.view(), one.view(), {}, 1) == Done{0, {}});
  CHECK(by_greedy(nothing.view(), one.view(), {}) == Done{0, {}});
  CHECK(by_refine(nothing.view(), one.view(), {}, 0) == Done{0, {}});
  CHECK(worth(nothing.view(), one.view(), {}).imbalance() == 1);
  const Given three{{1, 0, 2}, {0, 1, 1, 1}, {2}, {}, {0, 0, 0}, {}};
  CHECK(by_numa(three.view(), one.view(), {0, 0, 0}, 1) == Done{0, {0, 0, 0}});
}

// A second implementation, which sums over objects like the paper.
class Reading {
 public:
  Reading(const Given& objects, const Slots& slots, const Ints& place, double alpha)
      : objects_(objects), slots_(slots), place_(place), alpha_(alpha) {}

  Done run() {
    Ints order(place_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      const double of_a = objects_.load[static_cast<std::size_t>(a)];
      const double of_b = objects_.load[static_cast<std::size_t>(b)];
      return of_a != of_b ? of_a > of_b : a < b;
    });
    const Ints before = place_;
    for (const int object : order) {
      place_[static_cast<std::size_t>(object)] = -1;
      int best = -1;
      for (int slot = 0; slot < static_cast<int>(slots_.node.size()); ++slot) {
        if (best < 0 || cost(object, slot) < cost(object, best)) {
          best = slot;
        }
      }
      place_[static_cast<std::size_t>(object)] = best;
    }
    Done done{0, place_};
    for (std::size_t i = 0; i < before.size(); ++i) {
      done.moved += before[i] != place_[i] ? 1 : 0;
    }
    return done;
  }

 private:
  double load(int slot) const {
    double sum = 0;
    for (std::size_t i = 0; i < place_.size(); ++i) {
      sum += place_[i] == slot ? objects_.load[i] : 0;
    }
    return sum;
  }
  double between(int slot, int node, double messages) const {
    const int here = slots_.node[static_cast<std::size_t>(slot)];
    const double factor = slots_.factor[static_cast<std::size_t>(here * slots_.nodes + node)];
    return here == node ? -messages : messages * factor;
  }
  double cost(int object, int slot) const {
    const auto at = static_cast<std::size_t>(object);
    double remote_less_local = 0;
    const int end = objects_.first.empty() ? 0 : objects_.first[at + 1];
    for (int i = objects_.first.empty() ? 0 : objects_.first[at]; i < end; ++i) {
      const auto edge = static_cast<std::size_t>(i);
      const int other = objects_.other[edge];
      if (other != object) {
        const int node =
            slots_.node[static_cast<std::size_t>(place_[static_cast<std::size_t>(other)])];
        remote_less_local +=
            between(slot, node, objects_.messages.empty() ? 1 : objects_.messages[edge]);
      }
    }
    if (!objects_.home.empty() && objects_.home[at] >= 0) {
      remote_less_local += between(slot, objects_.home[at],
                                   objects_.home_messages.empty() ? 1 : objects_.home_messages[at]);
    }
    return load(slot) + alpha_ * remote_less_local;
  }

  const Given& objects_;
  const Slots& slots_;
  Ints place_;
  double alpha_;
};

// Sums of multiples of 1/8 are exact in any order, and many are equal.
double eighths(Random& random, int most) { return below(random, most + 1) / 8.0; }

struct Case {
  Given objects;
  Slots slots;
  Ints place;
  double alpha = 0;
};

Case at_random(Random& random) {
  Case made;
  const int objects = below(random, 40);
  made.slots.nodes = 1 + below(random, 5);
  const int slots = 1 + below(random, 12);
  for (int slot = 0; slot < slots; ++slot) {
    made.slots.node.push_back(below(random, made.slots.nodes));
  }
  for (int pair = 0; pair < made.slots.nodes * made.slots.nodes; ++pair) {
    const bool is_own = pair / made.slots.nodes == pair % made.slots.nodes;
    made.slots.factor.push_back(is_own ? 1 : 1 + eighths(random, 16));
  }
  const bool has_graph = below(random, 4) > 0;
  const bool has_messages = below(random, 2) > 0;
  const bool has_home = below(random, 2) > 0;
  const bool has_home_messages = has_home && below(random, 2) > 0;
  made.alpha = eighths(random, 4);
  for (int i = 0; i < objects; ++i) {
    made.objects.load.push_back(eighths(random, below(random, 2) > 0 ? 4 : 80));
    made.place.push_back(below(random, slots));
    if (has_graph) {
      made.objects.first.push_back(static_cast<int>(made.objects.other.size()));
      for (int edge = below(random, 6); edge > 0; --edge) {
        made.objects.other.push_back(below(random, objects));
        if (has_messages) {
          made.objects.messages.push_back(eighths(random, 20));
        }
      }
    }
    if (has_home) {
      made.objects.home.push_back(below(random, made.slots.nodes + 1) - 1);
    }
    if (has_home_messages) {
      made.objects.home_messages.push_back(eighths(random, 20));
    }
  }
  if (has_graph) {
    made.objects.first.push_back(static_cast<int>(made.objects.other.size()));
  }
  return made;
}

TEST_CASE("a second implementation of the paper gives the same result in a thousand cases") {
  Random random(2011);
  int moved = 0;
  int stayed = 0;
  for (int i = 0; i < 1000; ++i) {
    const Case made = at_random(random);
    INFO("case " << i);
    REQUIRE(are_good(made.objects.view()));
    REQUIRE(is_good(made.slots.view()));
    REQUIRE(fit(made.objects.view(), made.slots.view(), made.place.data()));
    const Done done = by_numa(made.objects.view(), made.slots.view(), made.place, made.alpha);
    REQUIRE(done == Reading(made.objects, made.slots, made.place, made.alpha).run());
    REQUIRE(done == by_numa(made.objects.view(), made.slots.view(), made.place, made.alpha));
    moved += done.moved;
    stayed += static_cast<int>(done.place.size()) - done.moved;
  }
  CHECK(moved > 1000);
  CHECK(stayed > 1000);
}

TEST_CASE("moves are counted and loads stay bounded, in all algorithms") {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const Case made = at_random(random);
    const Objects objects = made.objects.view();
    const Machine machine = made.slots.view();
    const double heaviest =
        objects.count == 0 ? 0
                           : *std::max_element(made.objects.load.begin(), made.objects.load.end());
    INFO("case " << i);
    const Done by_load = by_greedy(objects, machine, made.place);
    const Done refined = by_refine(objects, machine, made.place, 0);
    const Done close = by_numa(objects, machine, made.place, 0);
    for (const Done& done : {by_load, refined, close}) {
      REQUIRE(fit(objects, machine, done.place.data()));
      int moved = 0;
      for (std::size_t at = 0; at < made.place.size(); ++at) {
        moved += made.place[at] != done.place[at] ? 1 : 0;
      }
      REQUIRE(done.moved == moved);
    }
    REQUIRE(worth(objects, machine, refined.place).heaviest <=
            worth(objects, machine, made.place).heaviest * (1 + 1e-9));
    // List scheduling (R. Graham, 1969): no slot has more than the mean load plus one object's
    // load.
    const Worth greedy_worth = worth(objects, machine, by_load.place);
    REQUIRE(greedy_worth.heaviest <= greedy_worth.mean + heaviest);
    REQUIRE(by_greedy(objects, machine, by_load.place).moved == 0);
  }
}

TEST_CASE("bad objects, machines and places are rejected") {
  const Given good{{1, 2}, {0, 1, 2}, {1, 0}, {1, 1}, {0, -1}, {1, 1}};
  const Slots two = slots(2, 1, 2);
  const Ints place{0, 1};
  CHECK(are_good(good.view()));
  CHECK(is_good(two.view()));
  CHECK(fit(good.view(), two.view(), place.data()));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, nan, infinite, 2e15}) {
    Given worse = good;
    worse.load[1] = bad;
    CHECK_FALSE(are_good(worse.view()));
    worse = good;
    worse.messages[0] = bad;
    CHECK_FALSE(are_good(worse.view()));
    worse = good;
    worse.home_messages[1] = bad;
    CHECK_FALSE(are_good(worse.view()));
    Slots other = two;
    other.factor[1] = bad;
    CHECK_FALSE(is_good(other.view()));
  }
  for (const Ints& first : {Ints{1, 1, 2}, Ints{0, 2, 1}, Ints{0, -1, 2}}) {
    Given worse = good;
    worse.first = first;
    CHECK_FALSE(are_good(worse.view()));
  }
  for (const int other : {-1, 2}) {
    Given worse = good;
    worse.other[1] = other;
    CHECK_FALSE(are_good(worse.view()));
    CHECK_FALSE(fit(good.view(), two.view(), Ints{0, other}.data()));
    Slots slots = two;
    slots.node[1] = other;
    CHECK_FALSE(is_good(slots.view()));
  }
  for (const int home : {-2, 2}) {
    Given worse = good;
    worse.home[0] = home;
    CHECK_FALSE(fit(worse.view(), two.view(), place.data()));
  }
  Objects none = good.view();
  none.count = -1;
  CHECK_FALSE(are_good(none));
  none = good.view();
  none.load = nullptr;
  CHECK_FALSE(are_good(none));
  none = good.view();
  none.other = nullptr;
  CHECK_FALSE(are_good(none));
  CHECK_FALSE(fit(good.view(), two.view(), nullptr));
  for (const Machine& bad :
       {Machine{0, 1, two.node.data(), two.factor.data()},
        Machine{2, 0, two.node.data(), two.factor.data()},
        Machine{2, 2, nullptr, two.factor.data()}, Machine{2, 2, two.node.data(), nullptr}}) {
    CHECK_FALSE(is_good(bad));
  }
}

TEST_CASE("worth counts loads, and messages between nodes") {
  const Given objects{{3, 1, 2}, {0, 2, 3, 4}, {1, 2, 0, 2}, {5, 7, 5, 100}, {0, 1, -1}, {}};
  const Slots two = slots(2, 1, 2);
  const Worth found = worth(objects.view(), two.view(), {0, 1, 0});
  CHECK(found.heaviest == 5);
  CHECK(found.mean == 3);
  CHECK(found.imbalance() == Approx(5.0 / 3));
  // The sum is 5 + 7 + 5 for messages, and 1 for each of two homes. An object's messages to itself
  // do not count.
  CHECK(found.messages == 19);
  CHECK(found.remote_messages == 10);
}

}  // namespace
}  // namespace nestbind::balance::test
