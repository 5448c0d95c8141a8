// SPDX-License-Identifier: BSD-3-Clause
// Teams run many random loops at once, with all schedules, and wrap generation numbers around.
#include "helpers.hpp"
#include "loops_at_random.hpp"

namespace nestbind::loops::test {
namespace {

constexpr const char* kSchedules[] = {"hybrid",
                                      "hybrid,f=0.5,chunk=1",
                                      "hybrid,f=0,chunk=3",
                                      "hybrid,f=1",
                                      "hybrid,f=0.75,chunk=8",
                                      "hybrid,f=0.25,taper",
                                      "hybrid,f=0,chunk=2,taper,queue=all",
                                      "hybrid,f=0.5,chunk=4,queue=l2",
                                      "hybrid,f=0.5,chunk=4,taper,queue=l3",
                                      "hybrid,f=0.1,chunk=1000,queue=numa",
                                      "hybrid,f=0,queue=package,weights=measured",
                                      "hybrid,weights=measured",
                                      "hybrid,f=0.5,chunk=1,queue=all",
                                      "balanced",
                                      "balanced,every=1",
                                      "balanced,every=1,steal=0",
                                      "balanced,every=2,steal=1,blocks=3",
                                      "balanced,every=1,steal=0.5,alpha=0,blocks=40"};

std::vector<Seen> some_loops(Random& random, int count) {
  std::vector<Seen> loops(static_cast<std::size_t>(count));
  for (Seen& loop : loops) {
    const std::uint64_t kind = below(random, 8);
    loop.start.iterations = kind == 0 ? below(random, 3) : below(random, 300);
    loop.start.grain = below(random, 5) == 0 ? 1 + below(random, 5) : 1;
    if (kind == 1) {  // a long loop in a limited number of pieces
      loop.start.iterations = random() >> below(random, 60);
      loop.start.grain = 1 + loop.start.iterations / (1 + below(random, 100));
    }
    loop.start.is_monotonic = below(random, 6) == 0;
    loop.start.address = below(random, 4) == 0 ? 0 : 100 + below(random, 3);
  }
  return loops;
}

void check(const std::vector<Seen>& loops) {
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (!is_right(loops[i])) {
      INFO("loop " << i << " of " << loops[i].start.iterations << ", monotonic "
                   << loops[i].start.is_monotonic);
      CHECK(is_right(loops[i]));
    }
  }
}

TEST_CASE("every iteration runs once, and the last iteration last, in all schedules", "[loops]") {
  Random random(4);
  for (const char* text : kSchedules) {
    Settings settings;
    settings.schedule = good(text);
    settings.take = 10;
    for (int run = 0; run < 40; ++run) {
      const auto sites = make_sites();
      settings.sites = run % 3 == 0 ? nullptr : sites.get();
      settings.is_reported = run % 2 == 0;
      const int threads = 1 + static_cast<int>(below(random, run % 10 == 0 ? 40 : 9));
      const std::vector<Place> places = neighbours(threads);
      const Owned<Team> team = make_team(threads);
      for (int region = 0; region < 4; ++region) {
        INFO(text << ", threads " << threads << ", region " << region);
        team->open({places.data(), nullptr, 0}, 1, settings.schedule.sharing);
        std::vector<Seen> loops = some_loops(random, 1 + static_cast<int>(below(random, 20)));
        run_region(*team, settings, loops, random);
        check(loops);
      }
    }
  }
}

TEST_CASE("generations may wrap around in the middle of a region", "[loops]") {
  Random random(5);
  for (const std::uint64_t generation :
       {kGenerations - 10, kGenerations / 2 - 10, 3 * kGenerations - 10, kRenewal - 10,
        kGenerations / 2 + kRenewal - 10}) {
    for (const char* text : kSchedules) {
      INFO(text << ", generation " << generation);
      Settings settings;
      settings.schedule = good(text);
      const std::vector<Place> places = neighbours(5);
      const Owned<Team> team = make_team(5);
      team->set_generation(generation);
      for (int region = 0; region < 3; ++region) {
        team->open({places.data(), nullptr, 0}, 1, settings.schedule.sharing);
        std::vector<Seen> loops = some_loops(random, 20);
        run_region(*team, settings, loops, random);
        check(loops);
      }
    }
  }
}

TEST_CASE("a queue may be unused for half of all generations", "[loops]") {
  // The first loops raise the generation number in large steps, so it wraps around. Later loops use
  // all queues.
  Random random(6);
  Settings settings;
  settings.schedule = good("hybrid,f=0.5,chunk=1");
  const Owned<Team> team = make_team(4);
  LoopStart one;
  one.iterations = 100;
  one.is_monotonic = true;
  for (std::uint64_t generation = 1; generation < kGenerations;
       generation += kGenerations / 8 + 12345) {
    team->skip_to(generation, true);
    team->open({}, 1, Sharing::kThread);
    std::vector<Seen> loops(1);
    loops[0].start = one;
    run_region(*team, settings, loops, random);
    check(loops);
  }
  team->open({}, 1, Sharing::kThread);
  std::vector<Seen> loops(3);
  for (Seen& loop : loops) {
    loop.start.iterations = 200;
  }
  run_region(*team, settings, loops, random);
  check(loops);
}

TEST_CASE("every loop may be cancelled for half of all generations", "[loops]") {
  Random random(14);
  Settings settings;
  settings.schedule = good("hybrid,f=0.5,chunk=1");
  const Owned<Team> team = make_team(4);
  LoopStart start;
  start.iterations = 100;
  for (std::uint64_t generation = 1; generation < kGenerations;
       generation += kGenerations / 8 + 12345) {
    team->skip_to(generation, true);
    team->open({}, 1, Sharing::kThread);
    for (int number = 0; number < 4; ++number) {
      team->member(number).begin(start, settings);
      Range range;
      CHECK(team->member(number).next(range));
      team->member(number).leave();
    }
  }
  team->open({}, 1, Sharing::kThread);
  std::vector<Seen> loops(3);
  for (Seen& loop : loops) {
    loop.start = start;
  }
  run_region(*team, settings, loops, random);
  check(loops);
}

TEST_CASE("one member may stay in the first loop while the others run a hundred", "[loops]") {
  Random random(7);
  for (const char* text : kSchedules) {
    INFO(text);
    Settings settings;
    settings.schedule = good(text);
    const std::vector<Place> places = neighbours(6);
    const Owned<Team> team = make_team(6);
    team->open({places.data(), nullptr, 0}, 1, settings.schedule.sharing);
    std::vector<Seen> loops(101);
    for (Seen& loop : loops) {
      loop.start.iterations = 1 + below(random, 200);
    }
    bool has_begun = false;
    bool others_are_through = false;
    run_region(*team, settings, loops, random, [&](int number) {
      others_are_through = others_are_through || !loops.back().pieces.empty();
      if (number != 3 || others_are_through) {
        return true;
      }
      const bool may = !has_begun;
      has_begun = true;
      return may;
    });
    check(loops);
  }
}

TEST_CASE("a cancelled region has no effect on the next region", "[loops]") {
  Random random(8);
  for (int run = 0; run < 300; ++run) {
    const int threads = 2 + static_cast<int>(below(random, 5));
    Settings settings;
    settings.schedule = good(kSchedules[below(random, std::size(kSchedules))]);
    const auto sites = make_sites();
    settings.sites = sites.get();
    const Owned<Team> team = make_team(threads);
    team->open({}, 1, settings.schedule.sharing);
    for (int number = 0; number < threads; ++number) {
      for (std::uint64_t loop = below(random, 200); loop > 0; --loop) {
        LoopStart start;
        start.iterations = 50;
        start.address = 5;
        team->member(number).begin(start, settings);
        Range range;
        for (std::uint64_t steps = below(random, 12); steps > 0; --steps) {
          team->member(number).next(range);
        }
      }
    }
    INFO(run);
    team->open({}, 1, settings.schedule.sharing);
    std::vector<Seen> loops = some_loops(random, 10);
    run_region(*team, settings, loops, random);
    check(loops);
  }
}

TEST_CASE("places and queues may change from fork to fork", "[loops]") {
  Random random(9);
  const Owned<Team> team = make_team(12);
  std::vector<Place> places = neighbours(12);
  for (std::uint32_t fork = 1; fork < 100; ++fork) {
    std::shuffle(places.begin(), places.end(), random);
    Settings settings;
    settings.schedule = good(kSchedules[below(random, std::size(kSchedules))]);
    INFO(fork);
    team->open({places.data(), nullptr, 0}, fork, settings.schedule.sharing);
    std::vector<Seen> loops = some_loops(random, 4);
    run_region(*team, settings, loops, random);
    check(loops);
  }
}

TEST_CASE("a team may get fewer threads than it has room for", "[loops]") {
  Random random(15);
  for (int run = 0; run < 30; ++run) {
    const Owned<Team> team = make_team(9);
    const std::vector<Place> places = neighbours(9);
    const auto sites = make_sites();
    Settings settings;
    settings.schedule = good(kSchedules[below(random, std::size(kSchedules))]);
    settings.sites = sites.get();
    for (int fork = 0; fork < 20; ++fork) {
      team->open({places.data(), nullptr, 0}, 1, settings.schedule.sharing);
      std::vector<Seen> loops = some_loops(random, 6);
      const int threads = 1 + static_cast<int>(below(random, 9));
      for (Seen& loop : loops) {
        loop.start.threads = threads;
      }
      INFO("run " << run << ", fork " << fork << ", threads " << threads);
      run_region(*team, settings, loops, random);
      check(loops);
    }
  }
}

TEST_CASE("some queues may be without members for half of all generations", "[loops]") {
  Random random(16);
  Settings settings;
  settings.schedule = good("hybrid,f=0.5,chunk=1");
  const Owned<Team> team = make_team(4);
  for (std::uint64_t generation = 1; generation < kGenerations;
       generation += kGenerations / 8 + 12345) {
    for (const int threads : {4, 2}) {
      if (threads == 4 && generation > 1) {
        continue;
      }
      team->skip_to(generation + (threads == 2 ? 1000 : 0), false);
      team->open({}, 1, Sharing::kThread);
      std::vector<Seen> loops(1);
      loops[0].start.iterations = 100;
      loops[0].start.threads = threads;
      run_region(*team, settings, loops, random);
      check(loops);
    }
  }
  team->open({}, 1, Sharing::kThread);
  std::vector<Seen> loops(1);
  loops[0].start.iterations = 200;
  run_region(*team, settings, loops, random);
  check(loops);
}

TEST_CASE("iterations are counted by their source", "[loops]") {
  Random random(10);
  Settings settings;
  settings.schedule = good("hybrid,f=0.5,chunk=4");
  const std::vector<Place> places = neighbours(4);
  const Owned<Team> team = make_team(4);
  team->open({places.data(), nullptr, 0}, 1, Sharing::kThread);
  std::vector<Seen> loops(1);
  loops[0].start.iterations = 252;
  run_region(*team, settings, loops, random);
  check(loops);
  CHECK(loops[0].blocks == 128);  // Each of four blocks has 32 iterations.
  CHECK(loops[0].own + loops[0].stolen == 124);
}

TEST_CASE("a monotonic loop has one queue after all blocks", "[loops]") {
  Settings settings;
  settings.schedule = good("hybrid,f=0.5,chunk=10");
  const Owned<Team> team = make_team(3);
  team->open({}, 1, Sharing::kThread);
  LoopStart start;
  start.iterations = 630;
  start.is_monotonic = true;
  Range range;
  team->member(1).begin(start, settings);
  REQUIRE(team->member(1).next(range));
  CHECK(range == Range{107, 214});
  REQUIRE(team->member(1).next(range));
  CHECK(range == Range{320, 330});
  CHECK(team->member(1).tally().of_own_queue == 10);
}

TEST_CASE("the report shows whole chunks and which members share a queue", "[loops]") {
  const auto summary_of = [](const char* text, const LoopStart& start) {
    const auto sites = make_sites();
    const Owned<Team> team = make_team(4);
    const std::vector<Place> places = neighbours(4);
    const Settings settings = {good(text), sites.get(), true, 0};
    team->open({places.data(), nullptr, 0}, 1, settings.schedule.sharing);
    team->member(0).begin(start, settings);
    Range range;
    REQUIRE(team->member(0).next(range));
    REQUIRE(team->member(0).next(range));
    Site::Summary summary;
    sites->each([&](const Site& site) { summary = site.summary(); });
    CHECK(range.size() == summary.chunk);
    return summary;
  };
  LoopStart start;
  start.iterations = 4000;
  start.address = 1;
  CHECK(summary_of("hybrid,f=0.5,chunk=8", start).chunk == 8);
  CHECK_FALSE(summary_of("hybrid,f=0.5,chunk=8", start).has_shared_queue);
  CHECK_FALSE(summary_of("hybrid,f=0.5,chunk=8,queue=thread", start).has_shared_queue);
  CHECK(summary_of("hybrid,f=0.5,chunk=8,queue=l2", start).has_shared_queue);
  CHECK(summary_of("hybrid,f=0.5,chunk=8,queue=all", start).has_shared_queue);
  start.grain = 50;
  CHECK(summary_of("hybrid,f=0.5,chunk=8", start).chunk == 50);
  start.grain = 1;
  start.is_monotonic = true;
  CHECK(summary_of("hybrid,f=0.5,chunk=8", start).has_shared_queue);
}

TEST_CASE("a team may have the largest size", "[loops]") {
  Random random(11);
  Settings settings;
  settings.schedule = good("hybrid,f=0.5,chunk=2");
  const Owned<Team> team = make_team(kMostMembers);
  team->open({}, 1, Sharing::kThread);
  std::vector<Seen> loops(1);
  loops[0].start.iterations = 3 * kMostMembers + 5;
  run_region(*team, settings, loops, random);
  CHECK(covers(loops[0].pieces, loops[0].start.iterations));
}

}  // namespace
}  // namespace nestbind::loops::test
