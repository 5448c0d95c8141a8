// SPDX-License-Identifier: BSD-3-Clause
// Tests loops whose blocks have owners, with threads in any order and without barriers. Each loop
// has its own queues.
#include "loops/list_cursor.hpp"

#include <atomic>
#include <barrier>
#include <thread>

#include "helpers.hpp"
#include "loops/grouping.hpp"

namespace nestbind::loops::test {
namespace {

struct Listed {
  std::vector<int> first;
  std::vector<int> block;
  std::vector<balance::Ticks> time;
  std::vector<int> runs;
  std::vector<Queue> queues;
  ListedLoop loop;
};

Listed listed(std::uint64_t iterations, int threads, int each, const std::vector<int>& owner,
              int stealable) {
  Listed made;
  made.loop.blocks = Blocks(iterations, 1, threads, each);
  const int count = made.loop.blocks.count();
  made.first.resize(static_cast<std::size_t>(threads) + 1);
  made.block.resize(static_cast<std::size_t>(count));
  made.runs.assign(made.block.size(), 0);
  made.queues = std::vector<Queue>(static_cast<std::size_t>(threads));
  made.loop.stealable = stealable;
  made.loop.lists =
      balance::make_lists(owner.data(), count, threads, made.first.data(), made.block.data());
  return made;
}

std::unique_ptr<Listed> at_random(Random& random, int threads) {
  const int each = 1 + static_cast<int>(below(random, 6));
  const std::uint64_t iterations = static_cast<std::uint64_t>(threads * each) + below(random, 50);
  std::vector<int> owner;
  const int owners = below(random, 4) == 0 ? std::min(threads, 2) : threads;
  for (int i = 0; i < Blocks(iterations, 1, threads, each).count(); ++i) {
    owner.push_back(static_cast<int>(below(random, static_cast<unsigned>(owners))));
  }
  constexpr int kOpen[] = {0, balance::kStealableByDefault, balance::kStealableAtFirst,
                           balance::kWhole};
  auto made =
      std::make_unique<Listed>(listed(iterations, threads, each, owner, kOpen[below(random, 4)]));
  for (std::size_t i = 0; i < owner.size(); ++i) {
    made->time.push_back(below(random, 30));
  }
  made->loop.time = made->time.data();
  made->loop.least = below(random, 2) == 0 ? 0 : 40;
  return made;
}

struct ListTeam {
  explicit ListTeam(int threads) : places(neighbours(threads)) {
    for (int member = 0; member < threads; ++member) {
      std::vector<Victim> order(static_cast<std::size_t>(threads - 1));
      if (threads > 1) {
        order_victims({places.data(), nullptr, 0}, own_queues(threads), member, order.data());
      }
      victims.push_back(std::move(order));
    }
  }
  const Victim* victims_of(int member) const {
    const auto& order = victims[static_cast<std::size_t>(member)];
    return order.empty() ? nullptr : order.data();
  }

  std::vector<Place> places;
  std::vector<std::vector<Victim>> victims;
};

TEST_CASE("a thread runs its list, and then blocks from the nearest other lists", "[loops]") {
  // Twelve blocks of two iterations.
  const std::vector<int> owner{1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3};
  Listed made = listed(24, 4, 3, owner, balance::kStealableAtFirst);
  ListTeam team(4);
  ListCursor cursor;
  cursor.begin(made.loop, made.queues.data(), team.victims_of(0), 0, 1);
  Range range;
  // Thread 0 first steals from thread 1, which has the same L2. The loop's last block cannot be
  // stolen.
  CHECK(cursor.next(range) == Source::kOtherQueue);
  CHECK(range == Range{4, 6});
  CHECK(cursor.tally().stolen[static_cast<int>(Distance::kL2)] == 2);
  CHECK(cursor.next(range) == Source::kOtherQueue);
  CHECK(range == Range{18, 20});
  CHECK(cursor.next(range) == Source::kOtherQueue);
  CHECK(range == Range{10, 12});
  CHECK(cursor.next(range) == Source::kOtherQueue);
  CHECK(range == Range{20, 22});
  CHECK(cursor.next(range) == Source::kNothing);
  CHECK_FALSE(cursor.is_open());
  CHECK(cursor.next(range) == Source::kNothing);
  cursor.begin(made.loop, made.queues.data(), team.victims_of(3), 3, 1);
  for (const Range& expected : {Range{12, 14}, Range{14, 16}, Range{16, 18}}) {
    CHECK(cursor.next(range) == Source::kBlock);
    CHECK(range == expected);
    CHECK_FALSE(cursor.has_last());
  }
  CHECK(cursor.next(range) == Source::kBlock);
  CHECK(range == Range{22, 24});
  CHECK(cursor.has_last());
  CHECK(cursor.from() == 11);
  CHECK(cursor.behind() == 12);
  CHECK(cursor.next(range) == Source::kNothing);
}

TEST_CASE("adjacent blocks are given as one piece, except the last block", "[loops]") {
  Listed made = listed(12, 1, 6, std::vector<int>(6, 0), balance::kStealableAtFirst);
  made.time.assign(6, 10);
  made.loop.time = made.time.data();
  made.loop.least = 1000;
  ListTeam team(1);
  ListCursor cursor;
  cursor.begin(made.loop, made.queues.data(), nullptr, 0, 1);
  Range range;
  CHECK(cursor.next(range) == Source::kBlock);
  CHECK(range == Range{0, 6});
  CHECK(cursor.next(range) == Source::kOwnQueue);
  CHECK(range == Range{6, 10});
  CHECK(cursor.next(range) == Source::kBlock);
  CHECK(range == Range{10, 12});
  CHECK(cursor.next(range) == Source::kNothing);
}

struct Walker {
  ListCursor cursor;
  std::size_t loop = 0;
  bool is_inside = false;
  bool had_last = false;
};

// The thread enters a loop, gets a piece, or leaves the loop. Returns false if something was wrong.
bool step(Walker& walker, int member, ListTeam& team, std::vector<std::unique_ptr<Listed>>& loops) {
  Listed& here = *loops[walker.loop];
  if (!walker.is_inside) {
    walker.cursor.begin(here.loop, here.queues.data(), team.victims_of(member), member, 1);
    walker.is_inside = true;
    walker.had_last = false;
    return true;
  }
  Range range;
  if (walker.cursor.next(range) == Source::kNothing) {
    walker.is_inside = false;
    ++walker.loop;
    return true;
  }
  const bool is_first = !walker.had_last;
  walker.had_last = walker.cursor.has_last();
  for (int place = walker.cursor.from(); place < walker.cursor.behind(); ++place) {
    ++here.runs[static_cast<std::size_t>(here.block[static_cast<std::size_t>(place)])];
  }
  return is_first &&
         walker.had_last == (range.end == here.loop.blocks.joined(0, here.loop.blocks.count()).end);
}

TEST_CASE("each block runs once in any order of steps, in loops without barriers", "[loops]") {
  Random random(40);
  for (int round = 0; round < 400; ++round) {
    const int threads = 1 + static_cast<int>(below(random, 5));
    ListTeam team(threads);
    std::vector<std::unique_ptr<Listed>> loops;
    for (int i = 0; i < 6; ++i) {
      loops.push_back(at_random(random, threads));
    }
    std::vector<Walker> walkers(static_cast<std::size_t>(threads));
    std::vector<int> patience(walkers.size());
    for (int left = threads; left > 0;) {
      const auto member = static_cast<std::size_t>(below(random, static_cast<unsigned>(threads)));
      Walker& walker = walkers[member];
      if (walker.loop == loops.size() || (patience[member] > 0 && --patience[member] > 0)) {
        continue;
      }
      patience[member] = below(random, 20) == 0 ? 50 : 0;
      REQUIRE(step(walker, static_cast<int>(member), team, loops));
      left -= walker.loop == loops.size() ? 1 : 0;
    }
    for (const auto& loop : loops) {
      REQUIRE(
          std::all_of(loop->runs.begin(), loop->runs.end(), [](int runs) { return runs == 1; }));
    }
  }
}

TEST_CASE("each block runs once if threads race through lists", "[loops]") {
  Random random(41);
  for (const int threads : {2, 3, 5}) {
    ListTeam team(threads);
    std::vector<std::unique_ptr<Listed>> loops;
    std::vector<std::vector<std::atomic<int>>> runs;
    for (int i = 0; i < 300; ++i) {
      loops.push_back(at_random(random, threads));
      runs.emplace_back(loops.back()->block.size());
    }
    std::barrier barrier(threads);
    std::atomic<int> wrong{0};
    const auto walk = [&](int member) {
      for (std::size_t i = 0; i < loops.size(); ++i) {
        ListCursor cursor;
        cursor.begin(loops[i]->loop, loops[i]->queues.data(), team.victims_of(member), member, 1);
        bool had_last = false;
        for (Range range; cursor.next(range) != Source::kNothing;) {
          wrong += had_last ? 1 : 0;
          had_last = cursor.has_last();
          for (int place = cursor.from(); place < cursor.behind(); ++place) {
            ++runs[i][static_cast<std::size_t>(loops[i]->block[static_cast<std::size_t>(place)])];
          }
        }
        if (i % 7 == 0) {
          barrier.arrive_and_wait();
        }
      }
    };
    std::vector<std::thread> others;
    for (int member = 1; member < threads; ++member) {
      others.emplace_back(walk, member);
    }
    walk(0);
    for (std::thread& other : others) {
      other.join();
    }
    CHECK(wrong == 0);
    for (const auto& of_loop : runs) {
      REQUIRE(
          std::all_of(of_loop.begin(), of_loop.end(), [](const auto& run) { return run == 1; }));
    }
  }
}

}  // namespace
}  // namespace nestbind::loops::test
