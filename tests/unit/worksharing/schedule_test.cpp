// SPDX-License-Identifier: BSD-3-Clause
// Tests the schedule from the environment, with and without a specification.
#include <nestbind/nestbind.h>

#include <algorithm>
#include <barrier>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "helpers/fresh_process.hpp"
#include "process/armed.hpp"
#include "worksharing/schedule_in_force.hpp"

using namespace nestbind;

TEST_CASE("loops are not shared unless a schedule is set") {
  for (const fresh::Variables& variables :
       {fresh::Variables{}, {{"NESTBIND_SCHEDULE", ""}}, {{"NESTBIND_SCHEDULE", "native"}}}) {
    fresh::process(variables, [] {
      CHECK_FALSE(worksharing::is_wanted());
      CHECK(worksharing::schedule_for_fork() == nullptr);
    });
  }
}

TEST_CASE("a schedule applies without a specification and binds nothing") {
  fresh::process({{"NESTBIND_SCHEDULE", " Hybrid , f=0.75 , chunk=8 "}}, [] {
    CHECK(worksharing::is_wanted());
    CHECK_FALSE(process::armed());
    const worksharing::InForce* in_force = worksharing::schedule_for_fork();
    REQUIRE(in_force != nullptr);
    CHECK(in_force->settings.schedule.fraction == 7500);
    CHECK(in_force->settings.schedule.chunk == 8);
    CHECK(in_force->settings.take > 0);
    CHECK_FALSE(in_force->settings.is_reported);
  });
}

TEST_CASE("balanced schedules differ if any of their options differs") {
  fresh::process({{"NESTBIND_SCHEDULE", "balanced"}}, [] {
    const loops::Schedule usual = worksharing::schedule_for_fork()->settings.schedule;
    CHECK(usual.kind == loops::Kind::kBalanced);
    std::vector<const worksharing::InForce*> made = {worksharing::schedule_for_fork()};
    for (int option = 0; option < 5; ++option) {
      loops::Schedule other = usual;
      other.blocks += option == 0 ? 1 : 0;
      other.every += option == 1 ? 1 : 0;
      other.steal += option == 2 ? 1 : 0;
      other.alpha += option == 3 ? 1 : 0;
      other.kind = option == 4 ? loops::Kind::kHybrid : usual.kind;
      made.push_back(worksharing::entry_of(other));
      CHECK(made.back()->settings.schedule == other);
      CHECK(std::count(made.begin(), made.end(), made.back()) == 1);
    }
    CHECK(worksharing::takes(usual, worksharing::LoopKind::kRuntime));
    CHECK_FALSE(worksharing::takes(usual, worksharing::LoopKind::kDynamic));
  });
}

TEST_CASE("a bad schedule is reported and the loops stay native") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=2"}},
                 [] { CHECK_FALSE(worksharing::is_wanted()); },
                 {0, "nestbind: NESTBIND_SCHEDULE: column 10: "});
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=2"}},
                 [] { CHECK_FALSE(worksharing::is_wanted()); },
                 {0, "\n  it is ignored: the runtime schedules the loops\n"});
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=2"}, {"NESTBIND_STRICT", "1"}},
                 [] { FAIL("main is reached"); },
                 {NESTBIND_STRICT_STATUS, "the program is stopped (NESTBIND_STRICT=1)"});
}

namespace {

struct Extent {
  int entries = 0;
  int levels = 0;
};
Extent extent_of(const worksharing::InForce* entry) {
  Extent extent;
  if (entry != nullptr) {
    for (const auto& branch : entry->branches) {
      const Extent part = extent_of(branch);
      extent = {extent.entries + part.entries, std::max(extent.levels, part.levels)};
    }
    ++extent.entries;
    ++extent.levels;
  }
  return extent;
}

}  // namespace

TEST_CASE("a program may try thousands of schedules and each is found fast") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid,f=0.5"}}, [] {
    constexpr int kChunks = 10000;
    std::vector<const worksharing::InForce*> made;
    loops::Schedule schedule = worksharing::schedule_for_fork()->settings.schedule;
    const auto each = [&](auto visit) {
      for (int i = 0; i < 4 * kChunks; ++i) {
        schedule.taper = (i & 1) != 0;
        schedule.fraction = (i & 2) != 0 ? loops::Schedule::kAuto : 5000;
        schedule.chunk = static_cast<std::uint64_t>(i) / 4 * 8 + 1;
        visit(i, worksharing::entry_of(schedule));
      }
    };
    each([&](int, const worksharing::InForce* entry) { made.push_back(entry); });
    int wrong = 0;
    each([&](int i, const worksharing::InForce* entry) {
      wrong += entry != made[i] || !(entry->settings.schedule == schedule) ? 1 : 0;
    });
    CHECK(wrong == 0);
    const Extent all = extent_of(worksharing::schedule_for_fork());
    CHECK(all.entries == 4 * kChunks + 1);
    CHECK(all.levels <= 24);
  });
}

TEST_CASE("concurrent requests for the same schedules give the same entries") {
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    constexpr int kChunks = 2000;
    std::vector<const worksharing::InForce*> made[2];
    std::barrier together(2);
    const auto ask = [&](int thread) {
      for (int chunk = 1; chunk <= kChunks; ++chunk) {
        together.arrive_and_wait();
        made[thread].push_back(worksharing::entry_of(
            {.kind = loops::Kind::kHybrid, .chunk = static_cast<std::uint64_t>(chunk)}));
      }
    };
    std::thread other(ask, 1);
    ask(0);
    other.join();
    CHECK(made[0] == made[1]);
    CHECK(extent_of(worksharing::schedule_for_fork()).entries == kChunks + 1);
  });
}

TEST_CASE("each schedule takes the right kinds of loops") {
  using worksharing::LoopKind;
  using worksharing::takes;
  loops::Schedule schedule;
  CHECK_FALSE(takes(schedule, LoopKind::kRuntime));
  schedule.kind = loops::Kind::kHybrid;
  CHECK(takes(schedule, LoopKind::kRuntime));
  CHECK_FALSE(takes(schedule, LoopKind::kDynamic));
  CHECK_FALSE(takes(schedule, LoopKind::kGuided));
  schedule.taken = loops::Taken::kDynamic;
  CHECK(takes(schedule, LoopKind::kDynamic));
  CHECK(takes(schedule, LoopKind::kGuided));
}

TEST_CASE("a listener is told when loops begin to be shared") {
  static int told = 0;
  static constinit worksharing::Listener listener{
      [](bool is_wanted) { told += is_wanted ? 1 : 10; }};
  fresh::process({{"NESTBIND_SCHEDULE", "hybrid"}}, [] {
    worksharing::add(listener);
    CHECK(told == 1);
  });
  fresh::process({}, [] {
    worksharing::add(listener);
    CHECK(told == 0);
  });
}
