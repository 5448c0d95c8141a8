// SPDX-License-Identifier: BSD-3-Clause
// Real threads in loops whose blocks change owners all the time. Each iteration must run once, also
// if bounds and places change, or if members leave early.
#include <atomic>
#include <barrier>
#include <thread>

#include "../helpers.hpp"
#include "../loops_at_random.hpp"

namespace nestbind::loops::test {
namespace {

constexpr int kRegions = 60;
constexpr int kLoops = 6;
constexpr std::uint64_t kMost = 400;

struct Race {
  Race(const char* text, int threads, Ticks take)
      : team(make_team(threads)), places(neighbours(threads)), begin(threads), barrier(threads) {
    settings.schedule = good(text);
    settings.sites = sites.get();
    settings.take = take;
  }

  void open(int region) {
    for (auto& of_loop : runs) {
      for (auto& run : of_loop) {
        run = 0;
      }
    }
    iterations = region % 9 == 8 ? 50 + static_cast<std::uint64_t>(region) : kMost;
    if (region % 20 == 19) {
      std::swap(places.front().node, places.back().node);
      ++version;
    }
    team->open({places.data(), nullptr, 0}, version, settings.schedule.sharing);
  }

  void run(Member& member, int number, Random& random, bool is_left) {
    LoopStart start;
    start.iterations = iterations;
    // A compiler may copy a loop to several addresses.
    const std::uintptr_t copy = random() % 3 == 0 ? 2 : 0;
    start.address = static_cast<std::uintptr_t>(1 + number % 2) + copy;
    start.is_monotonic = number % 3 == 2;
    member.begin(start, settings);
    Ticks now = 1000;
    Range range;
    for (;;) {
      now += 1 + below(random, 5000);
      if (member.wants_time()) {
        member.note_time(now);
      }
      if (!member.next(range)) {
        break;
      }
      for (std::uint64_t i = range.begin; i < range.end; ++i) {
        ++runs[static_cast<std::size_t>(number)][i];
      }
      if (is_left) {
        member.leave();
        return;
      }
    }
    if (member.wants_time()) {
      member.note_time(now);
    }
  }

  // In every third region the thread leaves the last loop early.
  void walk(int number) {
    Random random(static_cast<std::uint64_t>(number));
    for (int region = 0; region < kRegions; ++region) {
      if (number == 0) {
        open(region);
      }
      begin.arrive_and_wait();
      Member& member = team->member(number);
      for (int loop = 0; loop < kLoops; ++loop) {
        run(member, loop, random, loop + 1 == kLoops && region % 3 == 0);
        if (loop % 4 != 1) {
          barrier.arrive_and_wait();
          member.pass_barrier();
        }
      }
      begin.arrive_and_wait();
      if (number == 0) {
        check(region % 3 == 0 ? kLoops - 1 : kLoops);
      }
    }
  }

  void check(int loops) {
    for (int loop = 0; loop < loops; ++loop) {
      for (std::uint64_t i = 0; i < kMost; ++i) {
        wrong += runs[static_cast<std::size_t>(loop)][i] == (i < iterations ? 1 : 0) ? 0 : 1;
      }
    }
  }

  std::unique_ptr<Sites, FreeSites> sites = make_sites();
  Owned<Team> team;
  std::vector<Place> places;
  std::uint32_t version = 1;
  std::uint64_t iterations = 0;
  std::atomic<int> runs[kLoops][kMost] = {};
  std::barrier<> begin;
  std::barrier<> barrier;
  Settings settings;
  int wrong = 0;
};

void walk_all(Race& race, int threads) {
  std::vector<std::thread> others;
  for (int member = 1; member < threads; ++member) {
    others.emplace_back([&race, member] { race.walk(member); });
  }
  race.walk(0);
  for (std::thread& other : others) {
    other.join();
  }
}

TEST_CASE("threads race through loops whose owners change", "[loops]") {
  for (const char* text :
       {"balanced,every=1", "balanced,every=1,steal=1,blocks=5", "balanced,every=1,steal=0"}) {
    for (const int threads : {2, 5}) {
      INFO(text << ", threads " << threads);
      Race race(text, threads, 1);
      walk_all(race, threads);
      CHECK(race.wrong == 0);
      std::uint64_t migrations = 0;
      race.sites->each([&](const Site& site) { migrations += site.summary().owners.migrations; });
      CHECK(migrations > 0);
    }
  }
}

// Loops that take less time than a limit use hybrid's method. Here the loops' times are near the
// limit.
TEST_CASE("threads race through loops that settle, and that are sometimes too short", "[loops]") {
  for (const char* text : {"balanced", "hybrid", "hybrid,f=0.5"}) {
    for (const Ticks take : {1, 100, 200, 400}) {
      INFO(text << ", take " << take);
      Race race(text, 3, take);
      walk_all(race, 3);
      CHECK(race.wrong == 0);
    }
  }
}

}  // namespace
}  // namespace nestbind::loops::test
