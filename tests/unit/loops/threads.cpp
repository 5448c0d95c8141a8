// SPDX-License-Identifier: BSD-3-Clause
// Real threads race for the chunks of many loops. ThreadSanitizer also runs these tests.
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>

#include "helpers.hpp"

namespace nestbind::loops::test {
namespace {

struct Counts {
  explicit Counts(std::uint64_t iterations)
      : runs(new std::atomic<unsigned char>[iterations]()), size(iterations) {}
  bool are_one() const {
    return std::all_of(runs.get(), runs.get() + size, [](const auto& count) { return count == 1; });
  }
  std::unique_ptr<std::atomic<unsigned char>[]> runs;
  std::uint64_t size;
};

// Returns false if a piece comes after the loop's last iteration, or if has_last() is wrong.
bool run_loop(Member& member, const LoopStart& start, const Settings& settings, Counts& counts,
              Ticks& now) {
  bool had_last = false;
  bool is_good = true;
  member.begin(start, settings);
  for (Range range;;) {
    if (member.wants_time()) {
      member.note_time(now += 100);
    }
    if (!member.next(range)) {
      break;
    }
    is_good = is_good && !had_last;
    had_last = member.has_last();
    is_good = is_good && had_last == (range.end == start.iterations);
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
      ++counts.runs[i];
    }
  }
  if (member.wants_time()) {
    member.note_time(now += 100);
  }
  return is_good;
}

template <typename Body>
void on_threads(int threads, Body body) {
  std::vector<std::thread> team;
  for (int number = 1; number < threads; ++number) {
    team.emplace_back([&body, number] { body(number); });
  }
  body(0);
  for (std::thread& thread : team) {
    thread.join();
  }
}

TEST_CASE("threads race through loops with and without barriers", "[loops]") {
  for (const char* text : {"hybrid", "hybrid,f=0,chunk=1", "hybrid,f=0.3,chunk=2,queue=l2,taper",
                           "hybrid,weights=measured", "hybrid,f=0.5,chunk=1,queue=all"}) {
    for (const int threads : {2, 5}) {
      INFO(text << ", threads " << threads);
      Settings settings;
      const auto sites = make_sites();
      settings.schedule = good(text);
      settings.sites = sites.get();
      settings.take = 1;
      const std::vector<Place> places = neighbours(threads);
      const Owned<Team> team = make_team(threads);
      Random random(13);
      for (int region = 0; region < 3; ++region) {
        std::vector<LoopStart> starts(100);
        std::vector<Counts> counts;
        std::vector<bool> has_barrier;
        for (LoopStart& start : starts) {
          start.iterations = below(random, 200);
          start.address = 1 + below(random, 3);
          start.is_monotonic = below(random, 9) == 0;
          counts.emplace_back(start.iterations);
          has_barrier.push_back(below(random, 2) == 0);
        }
        team->open({places.data(), nullptr, 0}, 1, settings.schedule.sharing);
        std::barrier barrier(threads);
        std::atomic<int> wrong{0};
        on_threads(threads, [&](int number) {
          Member& member = team->member(number);
          Ticks now = 1000;
          for (std::size_t i = 0; i < starts.size(); ++i) {
            wrong += run_loop(member, starts[i], settings, counts[i], now) ? 0 : 1;
            if (has_barrier[i]) {
              barrier.arrive_and_wait();
              member.pass_barrier();
            }
          }
        });
        CHECK(wrong == 0);
        CHECK(std::all_of(counts.begin(), counts.end(),
                          [](const Counts& loop) { return loop.are_one(); }));
      }
    }
  }
}

TEST_CASE("a thread may sleep in its block of loop 1 and the others finish 100 more", "[loops]") {
  constexpr int kThreads = 3;
  constexpr std::size_t kLoops = 101;
  constexpr auto kLong = std::chrono::seconds(60);
  for (const char* text : {"hybrid,f=0.5,chunk=4", "hybrid,f=0.5,chunk=4,queue=all", "hybrid"}) {
    INFO(text);
    Settings settings;
    const auto sites = make_sites();
    settings.schedule = good(text);
    settings.sites = sites.get();
    const Owned<Team> team = make_team(kThreads);
    team->open({}, 1, settings.schedule.sharing);
    LoopStart start;
    start.iterations = 300;
    start.address = 1;
    std::vector<Counts> counts;
    for (std::size_t i = 0; i < kLoops; ++i) {
      counts.emplace_back(start.iterations);
    }
    std::atomic<int> finished{0};
    std::atomic<int> wrong{0};
    bool were_first = false;
    on_threads(kThreads, [&](int number) {
      Member& member = team->member(number);
      Ticks now = 1;
      std::size_t first = 0;
      if (number == 0) {
        member.begin(start, settings);
        Range block;
        member.next(block);
        const auto begin = std::chrono::steady_clock::now();
        while (finished < kThreads - 1 && std::chrono::steady_clock::now() - begin < kLong) {
          std::this_thread::yield();
        }
        were_first = finished == kThreads - 1;
        for (std::uint64_t i = block.begin; i < block.end; ++i) {
          ++counts[0].runs[i];
        }
        for (Range range; member.next(range);) {
          ++wrong;  // threads have stolen all its other iterations
        }
        first = 1;
      }
      for (std::size_t i = first; i < kLoops; ++i) {
        wrong += run_loop(member, start, settings, counts[i], now) ? 0 : 1;
      }
      ++finished;
    });
    CHECK(were_first);
    CHECK(wrong == 0);
    CHECK(std::all_of(counts.begin(), counts.end(),
                      [](const Counts& loop) { return loop.are_one(); }));
  }
}

TEST_CASE("concurrent threads find the same site", "[loops]") {
  const auto sites = make_sites();
  constexpr int kThreads = 4;
  std::vector<Site*> found[kThreads];
  on_threads(kThreads, [&](int number) {
    for (std::uintptr_t address = 1; address <= Sites::kSize + 100; ++address) {
      found[number].push_back(sites->find(address, 3, kThreads));
    }
  });
  for (int number = 1; number < kThreads; ++number) {
    CHECK(found[number] == found[0]);
  }
  CHECK(std::count(found[0].begin(), found[0].end(), nullptr) >= 100);
}

}  // namespace
}  // namespace nestbind::loops::test
