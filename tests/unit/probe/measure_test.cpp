// SPDX-License-Identifier: BSD-3-Clause
#include "probe/measure.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <vector>

#include "made_up.hpp"
#include "probe/probe_found.hpp"

using namespace nestbind::probe;

namespace {

Subject pair(int first, int second) {
  return {.work = Work::kRoundTrips, .pairs = {{first, second}}, .processors = {}, .bytes = 64};
}

const made_up::Truth kTruth = {.round_trip = {{10, 100, 200}, {100, 10, 300}, {200, 300, 10}},
                               .read = {{90}, {90}, {90}}};

class Told : public Instrument {
 public:
  std::map<int, std::vector<double>> ns;  // by a pair's first processor
  std::vector<int> order;
  std::vector<int> counts;
  double seconds_of_batch = 0.1;  // The time is over after 32 rounds.

  double now() override { return now_; }
  void rest(double seconds) override { now_ += seconds; }
  Took batch(const Subject& subject, int count, double limit) override {
    const int who = subject.pairs[0].first;
    const auto& mine = ns[who];
    const std::size_t turn = taken_[who]++;
    const double each = mine[std::min(turn, mine.size() - 1)];
    order.push_back(who);
    counts.push_back(count);
    now_ += seconds_of_batch;
    return {each, each, each * count > limit};
  }

 private:
  std::map<int, std::size_t> taken_;
  double now_ = 0;
};

constexpr std::size_t kFirst = 3;  // first batches, which show how long a batch takes

}  // namespace

TEST_CASE("percentiles are as in R and NumPy") {
  CHECK(percentile({4, 1, 3, 2}, 0.1) == Approx(1.3));
  CHECK(percentile({4, 1, 3, 2}, 0.9) == Approx(3.7));
  CHECK(percentile({4, 1, 3, 2}, 0.5) == Approx(2.5));
  CHECK(percentile({7}, 0.1) == 7);
  CHECK(percentile({2, 1}, 0) == 1);
  CHECK(percentile({2, 1}, 1) == 2);
}

TEST_CASE("all subjects take turns, in a new order in each round") {
  Told told;
  told.ns = {{0, {100}}, {1, {100}}, {2, {100}}};
  const auto found = measure({pair(0, 3), pair(1, 3), pair(2, 3)}, told, {}, nullptr);
  REQUIRE(told.order.size() == 3 * (kFirst + 32));
  std::map<std::vector<int>, int> orders;
  for (std::size_t at = 3 * kFirst; at < told.order.size(); at += 3) {
    const std::vector<int> round(told.order.begin() + static_cast<long>(at),
                                 told.order.begin() + static_cast<long>(at) + 3);
    CHECK(round[0] + round[1] + round[2] == 3);
    CHECK(round[0] != round[1]);
    ++orders[round];
  }
  CHECK(orders.size() > 3);
  for (const Measured& one : found) {
    CHECK(one.ns == Approx(100));
    CHECK(one.batches == 32);
    CHECK(one.is_reliable);
  }
}

TEST_CASE("a batch takes 2000 round trips, or about a millisecond if they are slow") {
  for (const auto& [ns, count] :
       std::map<double, int>{{1, 2000}, {500, 2000}, {1e4, 100}, {1e7, 4}}) {
    Told told;
    told.ns = {{0, {ns}}};
    measure({pair(0, 1)}, told, {}, nullptr);
    CHECK(told.counts.back() == count);
  }
}

TEST_CASE("few subjects are measured more often, with pauses in between") {
  Told told;
  told.ns = {{0, {100}}};
  told.seconds_of_batch = 0.001;
  const Measured found = measure({pair(0, 1)}, told, {}, nullptr)[0];
  CHECK(found.batches == 256);
  CHECK(found.parts == std::vector<double>(8, 100));
  CHECK(told.now() == Approx(3).margin(0.01));
}

TEST_CASE("a measurement is not reliable if its parts differ") {
  const auto measured = [](std::vector<double> ns, double seconds_of_batch) {
    Told told;
    told.ns[0].assign(kFirst, 100);
    told.ns[0].insert(told.ns[0].end(), ns.begin(), ns.end());
    told.seconds_of_batch = seconds_of_batch;
    return measure({pair(0, 1)}, told, {.most_seconds = 0}, nullptr)[0];
  };
  const auto step = [](int at, double before, double behind) {
    std::vector<double> ns(static_cast<std::size_t>(at), before);
    ns.push_back(behind);
    return ns;
  };
  const Measured halves = measured(step(16, 100, 112), 0.1);
  CHECK(halves.batches == 32);
  CHECK(halves.parts == std::vector<double>{100, 112});
  CHECK_FALSE(halves.is_reliable);
  CHECK(measured(step(16, 100, 109), 0.1).is_reliable);
  // A virtual machine's processors may become nearer or farther at any time. Changes at the very
  // end are not tested.
  for (const int at : {40, 100, 128, 170, 210}) {
    CHECK_FALSE(measured(step(at, 400, 100), 0.001).is_reliable);
    CHECK_FALSE(measured(step(at, 100, 400), 0.001).is_reliable);
  }
}

TEST_CASE("an unreliable measurement gets more batches if there is time") {
  // The first 19 times are wrong. Then one of three times is right.
  std::vector<double> ns(kFirst + 16, 500);
  for (int i = 0; i < 300; ++i) {
    ns.push_back(i % 3 == 0 ? 100 : 500);
  }
  Told told;
  told.ns[0] = ns;
  Measured found = measure({pair(0, 1)}, told, {.most_seconds = 100}, nullptr)[0];
  CHECK(found.batches == 64);
  CHECK(found.is_reliable);
  CHECK(found.ns == Approx(100));

  Told hurried;
  hurried.ns[0] = ns;
  found = measure({pair(0, 1)}, hurried, {.most_seconds = 3}, nullptr)[0];
  CHECK(found.batches == 32);
  CHECK_FALSE(found.is_reliable);
}

TEST_CASE("a measurement is not reliable if nine of ten batches were given up") {
  Told told;
  told.ns[0].assign(kFirst, 100);
  told.ns[0].push_back(1000);  // ten times the time of the first batches
  const Measured found = measure({pair(0, 1)}, told, {}, nullptr)[0];
  CHECK(found.parts == std::vector<double>{1000, 1000});
  CHECK_FALSE(found.is_reliable);
}

TEST_CASE("slow measurements end in time and are not reliable") {
  Told told;
  told.ns = {{0, {100}}};
  told.seconds_of_batch = 1;
  const Measured found = measure({pair(0, 1)}, told, {.limit = 25}, nullptr)[0];
  CHECK(found.batches == 22);
  CHECK(found.ns == Approx(100));
  CHECK_FALSE(found.is_reliable);

  Told slow;
  slow.ns = {{0, {100}}};
  slow.seconds_of_batch = 30;
  CHECK(measure({pair(0, 1)}, slow, {.limit = 1e9}, nullptr)[0].batches == 32);
}

TEST_CASE("subjects that have no turn before the limit are tried once") {
  Told told;
  told.ns = {{0, {100}}, {1, {200}}, {2, {300}}};
  told.seconds_of_batch = 4;
  double expected = 0;
  const auto found =
      measure({pair(0, 3), pair(1, 3), pair(2, 3)}, told, {.limit = 10},
              [&](double done, double left) { expected = done == 0 ? left : expected; });
  CHECK(told.now() == 5 * 4);  // three tries of the first pair
  CHECK(expected == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(found[i].ns == Approx(100 * (i + 1)));
    CHECK(found[i].batches == 1);
    CHECK(found[i].parts.size() == 1);
    CHECK_FALSE(found[i].is_reliable);
  }
  Told busy;
  busy.ns[0].assign(3 + 16, 100);
  busy.ns[0].push_back(200);
  const int batches =
      measure({pair(0, 1)}, busy, {.most_seconds = 100, .limit = 5.05}, nullptr)[0].batches;
  CHECK(batches == 48);
}

TEST_CASE("progress grows up to the end") {
  made_up::Machine machine(kTruth, 1);
  double before = -1;
  double left = 1e9;
  measure({pair(0, 1), pair(1, 2)}, machine, {}, [&](double done, double seconds_left) {
    CHECK(done > before);
    before = done;
    left = seconds_left;
  });
  CHECK(before == Approx(1));
  CHECK(left == Approx(0).margin(1e-9));
}

TEST_CASE("classes differ by more than the scatter and 10 %") {
  // 100 and 105 are in one class, 125 is in the next class, and 160 in the third.
  const Classes three = find_classes({{160, 161}, {100, 101}, {125, 126}, {105, 104}});
  CHECK(three.of_group == std::vector<int>{2, 0, 1, 0});
  CHECK(three.count == 3);
  CHECK(three.noise < 0.01);
  // The times in a group differ as much as the groups' means.
  const Classes one = find_classes({{130, 200}, {75, 135}, {95, 165}, {80, 138}});
  CHECK(one.count == 1);
  CHECK(one.of_group == std::vector<int>{0, 0, 0, 0});
  CHECK(one.noise > 0.2);
  CHECK(find_classes({}).count == 0);
  CHECK(find_classes({{5}}).count == 1);
  CHECK(find_classes({{100}, {111}}).count == 2);
  CHECK(find_classes({{100}, {109}}).count == 1);
}

TEST_CASE("measurements in an emulated machine give no classes") {
  // The numbers are round trips in ns.
  const Classes found = find_classes({{244, 391, 310},
                                      {402, 268, 333},
                                      {371, 255, 408},
                                      {290, 361, 247},
                                      {330, 399, 281},
                                      {262, 345, 377},
                                      {318, 250, 402}});
  CHECK(found.count == 1);
}
