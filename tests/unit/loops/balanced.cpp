// SPDX-License-Identifier: BSD-3-Clause
// Tests loops whose blocks have owners, with simulated times.
#include <cfenv>

#include "helpers.hpp"
#include "loops_at_random.hpp"

namespace nestbind::loops::test {
namespace {

constexpr std::uintptr_t kAddress = 77;

// Returns places with two threads on each node.
std::vector<Place> pairs(int members) {
  std::vector<Place> places;
  for (int i = 0; i < members; ++i) {
    Place place;
    place.node = static_cast<std::uint16_t>(i / 2);
    places.push_back(place);
  }
  return places;
}

// Simulates a loop: the thread with the earliest clock takes the next block.
struct Steps {
  explicit Steps(const std::string& text, int threads = 8, std::uint64_t iterations = 96)
      : team(make_team(threads)), places(pairs(threads)), load(iterations, 1000) {
    settings.schedule = good(text);
    settings.sites = sites.get();
    settings.is_reported = true;
    settings.take = 1;
  }

  // Executes the loop once, and returns the longest time divided by the mean time.
  double step() {
    const auto threads = static_cast<std::size_t>(team->threads());
    team->open({places.data(), nullptr, 0}, version, settings.schedule.sharing);
    Seen seen;
    seen.start.iterations = load.size();
    seen.start.address = kAddress;
    std::vector<Ticks> now(threads, 1000);
    std::vector<bool> is_done(threads, false);
    runner.assign(load.size(), -1);
    for (std::size_t member = 0; member < threads; ++member) {
      team->member(static_cast<int>(member)).begin(seen.start, settings);
    }
    for (std::size_t left = threads; left > 0;) {
      std::size_t earliest = threads;
      for (std::size_t member = 0; member < threads; ++member) {
        const bool is_earlier = earliest == threads || now[member] < now[earliest];
        earliest = !is_done[member] && is_earlier ? member : earliest;
      }
      left -= run(earliest, now, seen) ? 0 : 1;
      is_done[earliest] = !team->member(static_cast<int>(earliest)).is_open();
    }
    CHECK(is_right(seen));
    Ticks sum = 0;
    for (const Ticks end : now) {
      sum += end - 1000;
    }
    const Ticks most = *std::max_element(now.begin(), now.end()) - 1000;
    return static_cast<double>(most * threads) / static_cast<double>(sum);
  }

  bool run(std::size_t number, std::vector<Ticks>& now, Seen& seen) {
    Member& member = team->member(static_cast<int>(number));
    if (member.wants_time()) {
      member.note_time(now[number]);
    }
    Range range;
    if (!member.next(range)) {
      if (member.wants_time()) {
        member.note_time(now[number]);
      }
      seen.blocks += member.tally().total();
      return false;
    }
    seen.pieces.push_back(range);
    seen.member_of.push_back(static_cast<int>(number));
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
      now[number] += load[i];
      runner[i] = static_cast<int>(number);
    }
    return true;
  }

  Ownership::Summary summary() const { return of_loop().owners; }

  Site::Summary of_loop() const {
    Site::Summary found;
    sites->each([&](const Site& site) { found = site.summary(); });
    return found;
  }

  std::unique_ptr<Sites, FreeSites> sites = make_sites();
  Owned<Team> team;
  std::vector<Place> places;
  std::uint32_t version = 1;
  std::vector<Ticks> load;  // of each iteration
  std::vector<int> runner;  // of each iteration in the last step
  Settings settings;
};

std::vector<int> static_runners(std::size_t iterations, std::size_t threads) {
  std::vector<int> runners(iterations);
  for (std::size_t i = 0; i < iterations; ++i) {
    runners[i] = static_cast<int>(i * threads / iterations);
  }
  return runners;
}

TEST_CASE("blocks start with a static schedule's owners and move to threads with less load",
          "[loops]") {
  Steps steps("balanced,steal=0", 16, 192);
  std::fill(steps.load.begin(), steps.load.begin() + 12, 4000);
  // One of sixteen shares takes four times longer.
  CHECK(steps.step() == Approx(64.0 / 19));
  CHECK(steps.runner == static_runners(192, 16));
  CHECK(steps.summary().blocks == 192);
  CHECK(steps.summary().looks == 0);
  // Owners that the eighth execution gives are used from the tenth execution on.
  for (int step = 2; step <= 9; ++step) {
    CHECK(steps.step() == Approx(64.0 / 19));
  }
  CHECK(steps.summary().looks == 2);
  CHECK(steps.summary().before == 337);
  CHECK(steps.summary().after <= 115);
  CHECK(steps.step() <= 1.15);
  const std::vector<int> found = steps.runner;
  for (int step = 11; step <= 20; ++step) {
    CHECK(steps.step() <= 1.15);
    CHECK(steps.runner == found);
  }
  const Ownership::Summary summary = steps.summary();
  CHECK(summary.migrations >= 8);
  CHECK(summary.migrations <= 38);
  CHECK(summary.runs == 20 * 192);
  CHECK(summary.remote > 0);
  CHECK(summary.remote < summary.runs / 5);
}

TEST_CASE("owners of an even loop stay, and the loop is measured less often", "[loops]") {
  Steps steps("balanced,steal=0");
  for (int step = 0; step < 400; ++step) {
    CHECK(steps.step() == Approx(1));
    CHECK(steps.runner == static_runners(96, 8));
  }
  const Ownership::Summary summary = steps.summary();
  CHECK(summary.migrations == 0);
  CHECK(summary.remote == 0);
  CHECK(steps.of_loop().had_owners);
  // After 33 executions one execution in eight is measured.
  CHECK(summary.runs >= 33 * 96);
  CHECK(summary.runs <= 120 * 96);
}

TEST_CASE("owners may change at every execution", "[loops]") {
  Random random(3);
  for (const char* text : {"balanced,every=1,alpha=0", "balanced,every=1,steal=0,alpha=0",
                           "balanced,every=1,steal=1,blocks=5,alpha=0"}) {
    Steps steps(text, 5, 203);
    int changes = 0;
    std::vector<int> before;
    for (int step = 0; step < 60; ++step) {
      INFO(text << ", step " << step);
      for (std::size_t i = 0; i < steps.load.size(); ++i) {
        const bool is_heavy = i * 5 / steps.load.size() == static_cast<std::size_t>(step / 3 % 5);
        steps.load[i] = (is_heavy ? 9000 : 1000) + below(random, 500);
      }
      steps.step();
      changes += steps.runner != before ? 1 : 0;
      before = steps.runner;
    }
    CHECK(changes > 10);
    CHECK(steps.summary().migrations > 20);
    CHECK(steps.summary().looks >= 55);
  }
}

// In way 0 the halves alternate. Ways 1 and 2 have periods of three and of four steps, and way 3 is
// random.
bool is_first_heavy(int way, int step, Random& random) {
  constexpr int kThree = 3;
  switch (way) {
    case 0:
      return step % 2 == 0;
    case 1:
      return step % kThree != 0;
    case 2:
      return step % 4 < 2;
    default:
      return below(random, 2) == 0;
  }
}

double alternating_step(Steps& steps, bool is_first, Random& random) {
  for (std::size_t i = 0; i < steps.load.size(); ++i) {
    const bool is_heavy = (i < steps.load.size() / 2) == is_first;
    steps.load[i] = (is_heavy ? 4000 : 1000) + below(random, 100);
    steps.load[i] *= below(random, 100) == 0 ? 4 : 1;
  }
  return steps.step();
}

TEST_CASE("owners soon stay the same if the loads alternate", "[loops]") {
  constexpr int kSoon = 800;
  constexpr int kLong = 2000;
  for (int way = 0; way < 4; ++way) {
    // The simulation of larger teams takes long.
    for (const int threads : {2, way < 2 ? 8 : 3}) {
      INFO("way " << way << ", " << threads << " threads");
      const auto iterations = static_cast<std::uint64_t>(threads) * 24;
      Random random(static_cast<std::uint64_t>(way) + 1);
      Random same = random;
      Steps balanced("balanced", threads, iterations);
      Steps hybrid("hybrid,f=0.5", threads, iterations);
      double time = 0;
      double by_hybrid = 0;
      std::uint64_t soon = 0;
      for (int step = 0; step < kLong; ++step) {
        soon = step == kSoon ? balanced.summary().migrations : soon;
        time += alternating_step(balanced, is_first_heavy(way, step, random), random);
        by_hybrid += alternating_step(hybrid, is_first_heavy(way, step, same), same);
      }
      CHECK(balanced.summary().migrations == soon);
      CHECK(balanced.summary().looks >= 20);
      CHECK(time <= (way == 1 ? 1.06 : 1.05) * by_hybrid);
    }
  }
}

TEST_CASE("a lasting imbalance is balanced, also if it is disturbed or moves", "[loops]") {
  Random random(12);
  Steps steps("balanced,steal=0", 16, 192);
  const auto least_of = [&](int executions, std::size_t hot) {
    double least = 16;
    for (int step = 0; step < executions; ++step) {
      for (std::size_t i = 0; i < steps.load.size(); ++i) {
        steps.load[i] = (i >= hot && i < hot + 12 ? 4000 : 1000) + below(random, 100);
        steps.load[i] *= below(random, 100) == 0 ? 4 : 1;
      }
      least = std::min(least, steps.step());
    }
    return least;
  };
  CHECK(least_of(40, 0) <= 1.2);
  CHECK(least_of(1500, 96) <= 1.2);
}

TEST_CASE("a loop with other bounds, or a team at another place, begins anew", "[loops]") {
  Steps steps("balanced,steal=0");
  std::fill(steps.load.begin(), steps.load.begin() + 12, 4000);
  for (int step = 0; step < 16; ++step) {
    steps.step();
  }
  CHECK(steps.runner != static_runners(96, 8));
  steps.load.assign(160, 1000);
  steps.step();
  CHECK(steps.step() == Approx(1));
  CHECK(steps.summary().blocks == 96);
  CHECK(steps.runner == static_runners(160, 8));
  steps.version = 2;
  steps.step();
  CHECK(steps.step() == Approx(1));
  Random random(8);
  for (int step = 0; step < 30; ++step) {
    steps.load.assign(20 + below(random, 100), 1000);
    steps.step();
  }
}

TEST_CASE("short loops, and loops with few iterations, use hybrid's method", "[loops]") {
  Steps steps("balanced,steal=0");
  steps.load.assign(96, 1);
  std::fill(steps.load.begin(), steps.load.begin() + 12, 4);
  for (int step = 0; step < 30; ++step) {
    steps.step();
  }
  CHECK(steps.summary().migrations <= 19);
  CHECK(steps.summary().looks <= 3);
  Steps few("balanced", 8, 15);
  for (int step = 0; step < 10; ++step) {
    few.step();
  }
  CHECK(few.summary().blocks == 8);
  CHECK(few.summary().runs == 0);
  CHECK(!few.of_loop().had_owners);
}

TEST_CASE("the program's rounding mode changes no owner, and is kept", "[loops]") {
  std::vector<std::vector<int>> found;
  for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO}) {
    Steps steps("balanced,steal=0");
    for (std::size_t i = 0; i < steps.load.size(); ++i) {
      steps.load[i] = 1000 + 37 * i * i;
    }
    std::fesetround(rounding);
    for (int step = 0; step < 5; ++step) {
      steps.step();
    }
    CHECK(std::fegetround() == rounding);
    std::fesetround(FE_TONEAREST);
    found.push_back(steps.runner);
  }
  CHECK(found[0] == found[1]);
  CHECK(found[0] == found[2]);
}

TEST_CASE("large teams have fewer blocks for each thread, and the largest have none", "[loops]") {
  CHECK(Ownership::most_blocks(16, 12) == 12);
  CHECK(Ownership::most_blocks(256, 1024) == 16);
  CHECK(Ownership::most_blocks(512, 12) == 4);
  CHECK(Ownership::most_blocks(724, 12) == 2);
  CHECK(Ownership::most_blocks(725, 12) == 1);
  CHECK(Ownership::most_blocks(4096, 12) == 0);
}

}  // namespace
}  // namespace nestbind::loops::test
