// SPDX-License-Identifier: BSD-3-Clause
// Tests how owners of blocks are found, and the lists of threads.
#include "balance/owners.hpp"

#include <algorithm>
#include <numeric>

#include "helpers.hpp"

namespace nestbind::balance::test {
namespace {

using Times = std::vector<Ticks>;

TEST_CASE("a load follows the measured times, more slowly after more executions") {
  constexpr std::uint64_t kMany = 50;
  CHECK(with_time(0, 0, 0).time == 0);
  CHECK(with_time(0, 800, kMany).time == 800);
  CHECK(with_time(0, 800, kMany).off == 800);
  CHECK(with_time(800, 0, kMany).time == 800);
  CHECK(with_time(800, 0, kMany).off == 0);
  CHECK(with_time(800, 1600, kMany).time == 900);
  CHECK(with_time(800, 1600, kMany).off == 800);
  CHECK(with_time(800, 400, kMany).time == 750);
  CHECK(with_time(800, 400, kMany).off == -400);
  CHECK(with_time(800, 1000000, kMany).time == 1100);
  CHECK(with_time(800, 1000000, kMany).off == 2400);
  // The second time has the weight 1/3. The weights of later times fall to 1/8.
  CHECK(with_time(900, 600, 1).time == 800);
  CHECK(with_time(800, 1600, 2).time == 1000);
  CHECK(with_time(800, 1600, 5).time == 914);
  CHECK(with_time(800, 1600, 6).time == 900);
}

TEST_CASE("a thread's variation follows the sum of its blocks' deviations, in either direction") {
  CHECK(with_off(0, 800, 0) == 800);
  CHECK(with_off(800, -400, 50) == 750);
  CHECK(with_off(800, 1600, 1) == 1066);
  Load known = {10000, 0};
  Ticks varies = 0;
  for (std::uint64_t before = 50; before < 90; ++before) {
    known = with_time(known.time, 20000, before);
    varies = with_off(varies, known.off, before);
  }
  CHECK(known.time > 19900);
  CHECK(varies < 300);
}

TEST_CASE("owners are checked at regular intervals, from the fourth execution on") {
  std::vector<std::uint64_t> due;
  for (std::uint64_t executions = 0; executions <= 12; ++executions) {
    if (is_look_due(executions, 3)) {
      due.push_back(executions);
    }
  }
  CHECK(due == std::vector<std::uint64_t>{6, 9, 12});
  CHECK_FALSE(is_look_due(3, 1));
  CHECK(is_look_due(4, 1));
}

TEST_CASE("a gain below two and a half times a thread's variation is not taken") {
  const Slots two = slots(1, 2, 1);
  const Ints home(4, 0);
  const Times none(4, 0);
  const Times uneven{100, 100, 10, 10};
  for (const auto& [varies, is_taken] : {std::pair<Times, bool>{{35, 0}, true}, {{0, 37}, false}}) {
    Ints owner{0, 0, 1, 1};
    const Machine machine = two.view();
    Numbers memory(look_bytes(4, machine) / sizeof(double) + 1);
    const Look found = look({4, uneven.data(), none.data(), none.data(), home.data()}, machine, 0,
                            varies.data(), look_in(memory.data(), 4, machine), owner.data());
    CHECK(found.is_taken == is_taken);
    CHECK(found.is_promising);
  }
}

struct Known {
  Times time;
  Times local;
  Times remote;
  Ints home;
  KnownBlocks view() const {
    return {static_cast<int>(time.size()), time.data(), local.data(), remote.data(), home.data()};
  }
};

struct Looked {
  Look look;
  Ints owner;
};

Looked looked_at(const Known& known, const Slots& threads, const Ints& owner, double alpha) {
  const KnownBlocks blocks = known.view();
  const Machine machine = threads.view();
  Numbers memory(look_bytes(blocks.count, machine) / sizeof(double) + 1);
  Looked result{{}, owner};
  result.look = look(blocks, machine, alpha, nullptr, look_in(memory.data(), blocks.count, machine),
                     result.owner.data());
  return result;
}

TEST_CASE("a message costs as much as running on another node was measured to cost") {
  const Times none{0, 0};
  const Ints home{0, 0};
  CHECK(alpha_of(Known{{100, 300}, {100, 300}, none, home}.view()) == Approx(10));  // 5 % of 200
  CHECK(alpha_of(Known{{100, 300}, {100, 0}, {0, 300}, home}.view()) == Approx(10));
  CHECK(alpha_of(Known{{100, 300}, {100, 300}, {0, 390}, home}.view()) == Approx(90));
  CHECK(alpha_of(Known{{100, 300}, {100, 300}, {150, 390}, home}.view()) == Approx(70));
  CHECK(alpha_of(Known{{90, 300}, {100, 300}, {90, 0}, home}.view()) == 0);  // never negative
  // A disturbed time is limited to twice the block's own time.
  CHECK(alpha_of(Known{{100, 300}, {100, 300}, {9000, 0}, home}.view()) == Approx(100));
  CHECK(alpha_of(Known{{100, 300}, {100, 9000}, {150, 300}, home}.view()) == 0);
  CHECK(alpha_of(Known{none, none, none, {-1, -1}}.view()) == 0);
}

TEST_CASE("new owners are taken if the heaviest thread gets two per cent less") {
  const Slots two = slots(1, 2, 1);
  const Times none(4, 0);
  const Ints home(4, 0);
  const Times uneven{100, 100, 10, 10};
  const Looked better = looked_at(Known{uneven, uneven, none, home}, two, {0, 0, 1, 1}, 0);
  CHECK(better.look.is_taken);
  CHECK(better.look.before == Approx(200 / 110.0));
  CHECK(better.look.after == Approx(1));
  // Each thread gives away one block.
  CHECK(better.owner == Ints{1, 0, 0, 1});
  // The threads have 101 and 99: no gain is possible.
  const Times even{51, 50, 49, 50};
  const Looked same = looked_at(Known{even, even, none, home}, two, {0, 0, 1, 1}, -1);
  CHECK_FALSE(same.look.is_taken);
  CHECK(same.owner == Ints{0, 0, 1, 1});
  const Looked nothing = looked_at(Known{none, none, none, Ints(4, -1)}, two, {0, 0, 1, 1}, -1);
  CHECK_FALSE(nothing.look.is_taken);
  CHECK(nothing.look.moved == 0);
}

TEST_CASE("a gain of less than two per cent is not taken") {
  const Slots two = slots(1, 2, 1);
  const Times none(5, 0);
  const Ints home(5, 0);
  // The threads have 303 and 300. Moving the second block gives 301 and 302.
  const Times times{301, 2, 100, 100, 100};
  const Looked kept = looked_at(Known{times, times, none, home}, two, {0, 0, 1, 1, 1}, 0);
  CHECK_FALSE(kept.look.is_taken);
  CHECK(kept.owner == Ints{0, 0, 1, 1, 1});
}

TEST_CASE("a larger alpha keeps blocks near their home and their neighbours") {
  // Two nodes with one thread each. A block can move if its messages cost less than the block.
  const Slots two = slots(2, 1, 2);
  const Times none(4, 0);
  const Times times(4, 100);
  const Ints home{0, 0, 0, 1};
  const Known known{times, times, none, home};
  CHECK(looked_at(known, two, {0, 0, 0, 1}, 1).look.is_taken);
  CHECK_FALSE(looked_at(known, two, {0, 0, 0, 1}, 200).look.is_taken);
}

TEST_CASE("owners change only if the result is better, for random times") {
  Random random(64);
  int taken = 0;
  for (int round = 0; round < 300; ++round) {
    const Slots threads = slots(1 + below(random, 4), 1 + below(random, 4), 2);
    const auto team = static_cast<int>(threads.node.size());
    Known known;
    Ints owner;
    for (int block = below(random, 100); block >= 0; --block) {
      const auto time = static_cast<Ticks>(below(random, 1000));
      known.time.push_back(time);
      known.local.push_back(below(random, 2) == 0 ? time : 0);
      known.remote.push_back(below(random, 2) == 0 ? time + static_cast<Ticks>(below(random, 99))
                                                   : 0);
      known.home.push_back(below(random, threads.nodes + 1) - 1);
      owner.push_back(below(random, team));
    }
    const Looked found = looked_at(known, threads, owner, -1);
    int moved = 0;
    for (std::size_t i = 0; i < owner.size(); ++i) {
      REQUIRE((found.owner[i] >= 0 && found.owner[i] < team));
      moved += found.owner[i] != owner[i] ? 1 : 0;
    }
    REQUIRE(moved == (found.look.is_taken ? found.look.moved : 0));
    REQUIRE((!found.look.is_taken || found.look.after < 0.98 * found.look.before));
    taken += found.look.is_taken ? 1 : 0;
  }
  CHECK(taken > 100);
}

bool is_list(const Lists& lists, int thread) {
  return std::is_sorted(lists.block + lists.begin(thread), lists.block + lists.end(thread));
}

TEST_CASE("lists contain each block once, in rising order") {
  const Ints owner{2, 0, 0, 2, 3, 0};
  Ints first(5);
  Ints block(6);
  const Lists lists = make_lists(owner.data(), 6, 4, first.data(), block.data());
  CHECK(first == Ints{0, 3, 3, 5, 6});
  CHECK(block == Ints{1, 2, 5, 0, 3, 4});
  CHECK(lists.has_last(0));
  CHECK_FALSE(lists.has_last(1));
  CHECK_FALSE(lists.has_last(3));
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const int count = 1 + below(random, 60);
    const int threads = 1 + below(random, 12);
    Ints owners;
    for (int i = 0; i < count; ++i) {
      owners.push_back(below(random, threads));
    }
    Ints begins(static_cast<std::size_t>(threads) + 1);
    Ints blocks(static_cast<std::size_t>(count));
    const Lists made = make_lists(owners.data(), count, threads, begins.data(), blocks.data());
    int with_last = 0;
    for (int thread = 0; thread < threads; ++thread) {
      REQUIRE(is_list(made, thread));
      for (int at = made.begin(thread); at < made.end(thread); ++at) {
        REQUIRE(owners[static_cast<std::size_t>(made.block[at])] == thread);
      }
      with_last += made.has_last(thread) ? 1 : 0;
      for (const int stealable : {0, kStealableByDefault, kStealableAtFirst, kWhole}) {
        REQUIRE(made.begin(thread) <= made.stealable_begin(thread, stealable));
        REQUIRE(made.stealable_begin(thread, stealable) <= made.stealable_end(thread));
        REQUIRE(made.stealable_end(thread) <= made.end(thread));
      }
    }
    REQUIRE(with_last == 1);
    std::sort(blocks.begin(), blocks.end());
    for (int i = 0; i < count; ++i) {
      REQUIRE(blocks[static_cast<std::size_t>(i)] == i);
    }
  }
}

TEST_CASE("the last quarter of a list can be stolen, except the loop's last block") {
  Ints owner(24, 0);
  std::fill(owner.begin() + 12, owner.end(), 1);
  Ints first(3);
  Ints block(24);
  const Lists lists = make_lists(owner.data(), 24, 2, first.data(), block.data());
  CHECK(lists.stealable_begin(0, kStealableByDefault) == 9);
  CHECK(lists.stealable_end(0) == 12);
  CHECK(lists.stealable_begin(1, kStealableByDefault) == 21);
  CHECK(lists.stealable_end(1) == 23);
  CHECK(lists.stealable_begin(0, 0) == 12);
  CHECK(lists.stealable_begin(1, 0) == 23);
  CHECK(lists.stealable_begin(1, kWhole) == 12);
}

TEST_CASE("adjacent blocks are joined until they take long enough") {
  const Ints owner{0, 0, 0, 1, 0, 0, 0, 0};
  Ints first(3);
  Ints block(8);
  const Lists lists = make_lists(owner.data(), 8, 2, first.data(), block.data());
  // Thread 0 has blocks 0 1 2 4 5 6 7.
  const Times time{10, 10, 10, 10, 40, 10, 0, 10};
  CHECK(run_end(lists, 0, 7, time.data(), 20) == 2);
  CHECK(run_end(lists, 0, 7, time.data(), 25) == 3);    // 10 + 10 + 10
  CHECK(run_end(lists, 0, 7, time.data(), 1000) == 3);  // block 4 is not next to block 2
  CHECK(run_end(lists, 0, 2, time.data(), 1000) == 2);
  CHECK(run_end(lists, 3, 7, time.data(), 20) == 4);  // block 4 alone takes long enough
  CHECK(run_end(lists, 4, 7, time.data(), 20) == 5);  // block 6 has no known time
  CHECK(run_end(lists, 5, 7, time.data(), 20) == 6);
  CHECK(run_end(lists, 0, 7, nullptr, 20) == 1);
  CHECK(run_end(lists, 0, 7, time.data(), 0) == 1);
}

}  // namespace
}  // namespace nestbind::balance::test
