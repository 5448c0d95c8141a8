// SPDX-License-Identifier: BSD-3-Clause
// Looks that ask the last executions before they believe, and the next ones whether it came true.
#include "balance/hindsight.hpp"

#include "helpers.hpp"

namespace nestbind::balance::test {
namespace {

using Times = std::vector<Ticks>;
using Executions = std::vector<Times>;  // the newest first

// A loop of four blocks on two threads of one node, unless a test says otherwise.
struct Loop {
  Slots threads = slots(1, 2, 1);
  Times time;
  Times local;
  Times remote;
  Ints home;
  Ints owner{0, 0, 1, 1};
  Ints before = owner;
  Restraint restraint;

  KnownBlocks known() const {
    return {static_cast<int>(time.size()), time.data(), local.data(), remote.data(), home.data()};
  }
  void know(const Times& least) {
    time = local = least;
    remote.assign(least.size(), 0);
    home.assign(least.size(), 0);
  }

  Times joined(const Executions& executions) const {
    Times all;
    for (const Times& of : executions) {
      all.insert(all.end(), of.begin(), of.end());
    }
    return all;
  }
  Comparison compare_with(const Executions& executions, const Ints& other) const {
    const Times all = joined(executions);
    const auto count = static_cast<int>(executions.size());
    Numbers load(threads.node.size());
    return compare(known(), {count, count, all.data()}, count, threads.view(), owner.data(),
                   other.data(), load.data());
  }
  LookBack look(const Executions& executions, int since) {
    const Times all = joined(executions);
    const KnownBlocks blocks = known();
    const Machine machine = threads.view();
    Numbers memory(look_bytes(blocks.count, machine) / sizeof(double) + 1);
    return look_back(blocks, {static_cast<int>(executions.size()), since, all.data()}, machine, 0,
                     look_in(memory.data(), blocks.count, machine), restraint, before.data(),
                     owner.data());
  }
};

const Times kHot{100, 100, 10, 10};
const Ints kStatic{0, 0, 1, 1};
const Ints kShared{1, 0, 0, 1};  // what NumaLB makes of it

TEST_CASE("owners are compared in executions as they were") {
  Loop loop;
  loop.know(kHot);
  // 200 and 110 of 200; 200 and 110 of 200.
  const Comparison same = loop.compare_with({kHot, kHot}, kShared);
  CHECK(same.executions == 2);
  CHECK(same.better == 2);
  CHECK(same.worse == 0);
  CHECK(same.gain == Approx(0.45));
  // In the second one all are alike: 40 and 40, neither better nor worse.
  const Comparison once = loop.compare_with({kHot, {20, 20, 20, 20}}, kShared);
  CHECK(once.better == 1);
  CHECK(once.worse == 0);
  CHECK(once.gain == Approx(1 - 150.0 / 240));
  CHECK(loop.compare_with({}, kShared).gain == 0);
  // What is not known has its least time.
  CHECK(loop.compare_with({{0, 0, 0, 0}}, kShared).gain == Approx(0.45));
}

TEST_CASE("what has disturbed a block counts four times its least time") {
  Loop loop;
  loop.know(kHot);
  // 200 and 10 + 40; 110 and 100 + 40 of the other ones.
  const Comparison disturbed = loop.compare_with({{100, 100, 10, 9000}}, kShared);
  CHECK(disturbed.gain == Approx(1 - 140.0 / 200));
  CHECK(disturbed.better == 1);
}

TEST_CASE("a block takes what it takes on the node of its owner") {
  Loop loop;
  loop.threads = slots(2, 1, 2);
  loop.know({100, 100, 100, 100});
  loop.home = {0, 0, 0, 1};
  loop.owner = {0, 0, 0, 1};
  // The third one on the other node: 200 there and 200 here, of 300; it has never been there.
  CHECK(loop.compare_with({loop.time}, {0, 0, 1, 1}).gain == Approx(1 - 200.0 / 300));
  loop.remote = {0, 0, 150, 0};
  CHECK(loop.compare_with({loop.time}, {0, 0, 1, 1}).gain == Approx(1 - 250.0 / 300));
  // From there it has run back home: 300 of 250.
  loop.owner = {0, 0, 1, 1};
  const Comparison back = loop.compare_with({{100, 100, 150, 100}}, {0, 0, 0, 1});
  CHECK(back.gain == Approx(1 - 300.0 / 250));
  CHECK(back.worse == 1);
}

TEST_CASE("new owners that prove themselves stay") {
  Loop loop;
  loop.know(kHot);
  const LookBack first = loop.look({kHot, kHot}, 2);
  CHECK(first.look.is_taken);
  CHECK_FALSE(first.is_put_back);
  CHECK(loop.owner == kShared);
  CHECK(loop.before == kStatic);
  CHECK(loop.restraint.is_on_trial);
  // One execution is no proof.
  CHECK_FALSE(loop.look({kHot, kHot, kHot}, 1).look.is_taken);
  CHECK(loop.restraint.is_on_trial);
  CHECK_FALSE(loop.look({kHot, kHot, kHot, kHot}, 4).look.is_taken);
  CHECK_FALSE(loop.restraint.is_on_trial);
  CHECK(loop.owner == kShared);
}

TEST_CASE("what was promised and did not come is put back") {
  Loop loop;
  loop.know(kHot);
  loop.look({kHot, kHot}, 2);
  REQUIRE(loop.owner == kShared);
  // By its least times still the better one, but the heavy blocks are others each time.
  const Times one{20, 100, 40, 20};  // 120, and 140 by the new ones
  const LookBack next = loop.look({one, one, kHot}, 3);
  CHECK(next.is_put_back);
  CHECK(next.look.is_taken);
  CHECK(next.look.moved == 2);
  CHECK(next.look.before == Approx(1));
  CHECK(next.look.after == Approx(200 / 110.0));
  CHECK(loop.owner == kStatic);
  CHECK_FALSE(loop.restraint.is_on_trial);
  CHECK(loop.restraint.doubts == 1);
}

TEST_CASE("what was uneven by chance is put back, though it was no worse") {
  Loop loop;
  loop.know(kHot);
  loop.look({kHot, kHot}, 2);
  REQUIRE(loop.owner == kShared);
  // Two kinds of steps; one block of each pair is heavy in one of them, by the new owners apart.
  const Times one{40, 40, 10, 10};
  const Times other{10, 10, 40, 40};
  loop.know({10, 10, 10, 10});
  const LookBack next = loop.look({one, other, one, other}, 4);
  CHECK(next.is_put_back);
  CHECK(loop.owner == kStatic);
}

TEST_CASE("owners that would have been worse in the last executions are not taken") {
  Loop loop;
  loop.know(kHot);
  const Times other{100, 20, 100, 20};  // 120, and 120: as good
  const Times worse{20, 100, 40, 20};
  CHECK_FALSE(loop.look({other, other}, 2).look.is_taken);
  CHECK(loop.restraint.doubts == 0);  // so few say little
  CHECK_FALSE(loop.look({worse, kHot, kHot, kHot, kHot, kHot, worse, kHot}, 8).look.is_taken);
  CHECK(loop.restraint.doubts == 1);
  // Worse in one of eight is nothing, unless there is a doubt.
  const Executions once{worse, kHot, kHot, kHot, kHot, kHot, kHot, kHot};
  CHECK_FALSE(loop.look(once, 8).look.is_taken);
  loop.restraint = {};
  CHECK(loop.look(once, 8).look.is_taken);
}

TEST_CASE("who has doubted twice takes what is plain") {
  Loop loop;
  loop.know(kHot);
  loop.restraint.doubts = 2;
  CHECK_FALSE(loop.look(Executions(7, kHot), 7).look.is_taken);
  Executions all(8, kHot);
  all[3] = {20, 100, 40, 20};
  CHECK_FALSE(loop.look(all, 8).look.is_taken);
  // 120 of 100 and 130 of 90: a gain of 8 %.
  loop.know({60, 50, 40, 50});
  loop.time[0] = loop.local[0] = 75;
  CHECK_FALSE(loop.look(Executions(8, loop.time), 8).look.is_taken);
  loop.know(kHot);
  loop.restraint = {};
  loop.restraint.doubts = 3;
  CHECK_FALSE(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK_FALSE(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK(loop.restraint.doubts == 3);
  // Each proof takes one away, and it takes all that is remembered.
  CHECK_FALSE(loop.look(Executions(8, kHot), 7).look.is_taken);
  CHECK(loop.restraint.doubts == 3);
  CHECK_FALSE(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK(loop.restraint.doubts == 2);
}

TEST_CASE("looks have to agree one after the other") {
  Loop loop;
  loop.know(kHot);
  loop.restraint.doubts = 2;
  const Times worse{20, 100, 40, 20};
  CHECK_FALSE(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK_FALSE(loop.look(Executions(8, worse), 8).look.is_taken);
  CHECK(loop.restraint.doubts == 3);
  CHECK_FALSE(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK_FALSE(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK(loop.look(Executions(8, kHot), 8).look.is_taken);
}

TEST_CASE("what has long been left alone has to be found uneven twice") {
  Loop loop;
  loop.know({10, 10, 10, 10});
  for (int i = 0; i < 4; ++i) {
    CHECK_FALSE(loop.look(Executions(8, {10, 10, 10, 10}), 8).look.is_taken);
  }
  CHECK(loop.restraint.doubts == 0);
  loop.know(kHot);
  CHECK_FALSE(loop.look(Executions(8, kHot), 8).look.is_taken);
  CHECK(loop.look(Executions(8, kHot), 8).look.is_taken);
}

}  // namespace
}  // namespace nestbind::balance::test
