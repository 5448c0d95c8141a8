// SPDX-License-Identifier: BSD-3-Clause
// Tests which teams our tool reports to lib/preload/worksharing.
#include <atomic>
#include <catch2/catch.hpp>

#include "fake_runtime.hpp"
#include "helpers/fake_omp.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/ompt/ompt_runtimes.hpp"
#include "places/place.hpp"
#include "worksharing/shared_team.hpp"

using namespace nestbind;
using namespace fake_ompt;
using worksharing::own_member;

namespace {

const fresh::Variables kShared = {{"NESTBIND_SCHEDULE", "hybrid,f=0.5"},
                                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}};
const fresh::Variables kBoth = {{"NESTBIND_SCHEDULE", "hybrid"},
                                {"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                                {"NESTBIND_MACHINE", fresh::machine("barcelona")}};

bool is_member(int number, int size) {
  const worksharing::Member* const own = own_member();
  return own != nullptr && own->shared != nullptr && own->team->size == size &&
         own == &own->team->members[number];
}

bool is_outside() { return own_member() == nullptr || own_member()->team == nullptr; }

StartToolResult g_plain_tool{[](Lookup, int, Data*) { return 1; }, [](Data*) {}, Data{}};

// Returns how often a thread was in the wrong team or had the wrong number.
int misplaced(bool loses_word) {
  std::atomic<int> wrong = 0;
  const auto check = [&](bool is_right) { wrong += is_right ? 0 : 1; };
  fake::self(0).max_active_levels = 2;
  for (int round = 0; round < 2; ++round) {
    parallel({.size = 2, .loses_word = loses_word}, [&](int outer) {
      check(is_member(outer, 2));
      const team::Member* const own = team::t_here.member;
      parallel({.size = 3, .loses_word = loses_word}, [&](int inner) {
        check(is_member(inner, 3));
        check(!is_outside() && team::t_here.member->team->from == own);
      });
      check(team::t_here.member == own);
    });
    check(is_outside());
  }
  return wrong;
}

ImplicitTask task_callback() { return reinterpret_cast<ImplicitTask>(g_set[kImplicitTask]); }

}  // namespace

TEST_CASE("with a schedule alone teams are reported but no thread is placed") {
  fresh::process(kShared, [] {
    CHECK(start() == 1);
    CHECK(g_set[kParallelBegin] != nullptr);
    CHECK(g_set[kImplicitTask] != nullptr);
    parallel({.size = 2}, [](int) { CHECK(placement::own_place() == nullptr); });
    CHECK(misplaced(false) == 0);
  });
}

TEST_CASE("without a schedule no thread is a member of a team of shared loops") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "4,scatter"}}, [] {
    start();
    parallel({.size = 2}, [](int) { CHECK(own_member() == nullptr); });
  });
}

TEST_CASE("the end of a region restores the thread's team for any data word") {
  fresh::process(kShared, [] {
    start();
    CHECK(misplaced(true) == 0);
  });
  fresh::process(kShared, [] {
    CHECK(start(&g_plain_tool) == 1);
    CHECK(misplaced(false) == 0);
    CHECK(misplaced(true) == 0);
  });
}

TEST_CASE("a specification and a schedule can be used together") {
  fresh::process(kBoth, [] {
    start();
    fake::Seen seen;
    parallel({}, [&](int outer) {
      CHECK(is_member(outer, 4));
      parallel({}, [&](int inner) {
        CHECK(is_member(inner, 2));
        seen.note(cpus::told());
      });
      CHECK(is_member(outer, 4));
    });
    CHECK(seen.rows() == "0 1 / 4 5 / 8 9 / 12 13");
    CHECK(is_outside());
    CHECK(placement::own_place() == nullptr);
  });
}

TEST_CASE("an unknown team size is the runtime's default") {
  fresh::process(kShared, [] {
    start();
    parallel({.size = 0}, [](int number) { CHECK(is_member(number, 7)); });
  });
}

TEST_CASE("a team shares its loops if it gets another size") {
  fresh::process(kShared, [] {
    start();
    fake::self(0).max_active_levels = 2;
    parallel({.size = 2}, [](int) {
      const team::Member* const own = team::t_here.member;
      const auto grant_one = [](Data&) { fake::self(0).max_active_levels = 1; };
      parallel({.size = 3, .begun = grant_one}, [](int) { CHECK(is_member(0, 1)); });
      CHECK(team::t_here.member == own);
      parallel({.size = 3, .begun = grant_one}, [](int) { CHECK(is_member(0, 1)); });
      CHECK(team::t_here.member == own);
    });
  });
}

TEST_CASE("a worker whose end is reported late stays in its new team") {
  for (StartToolResult* second : {static_cast<StartToolResult*>(nullptr), &g_plain_tool}) {
    fresh::process(kShared, [second] {
      start(second);
      fake::self(0).path = {{1, 2}};
      fake::self(0).max_active_levels = 2;
      Data first{};
      Data next{};
      Data first_task{};
      Data next_task{};
      const auto begin = reinterpret_cast<ParallelBegin>(g_set[kParallelBegin]);
      const Frame frame{};
      begin(nullptr, &frame, &first, 2, 0, &g_set);
      task_callback()(kScopeBegin, &first, &first_task, 2, 1, 0);
      CHECK(is_member(1, 2));
      begin(nullptr, &frame, &next, 3, 0, &g_set);
      task_callback()(kScopeBegin, &next, &next_task, 3, 2, 0);
      const team::Member* const member = team::t_here.member;
      CHECK(is_member(2, 3));
      task_callback()(kScopeEnd, nullptr, &first_task, 0, 1, 0);
      CHECK(team::t_here.member == member);
    });
  }
}

TEST_CASE("threads of a league are outside of their previous team") {
  fresh::process(kShared, [] {
    start();
    parallel({.size = 2}, [](int) {});
    parallel({.size = 2, .flags = kParallelLeague}, [](int) { CHECK(is_outside()); });
    parallel({.size = 2}, [](int number) {
      if (number == 1) {
        initial_task(kScopeBegin);
        CHECK(team::t_here.member == nullptr);
      }
    });
    CHECK(misplaced(false) == 0);
  });
}

TEST_CASE("a thread that was in a league forks from its place before the league") {
  fresh::process(kShared, [] {
    start();
    parallel({.size = 2}, [](int) {});
    const team::Member* const root = team::t_here.member;
    REQUIRE(root != nullptr);
    initial_task(kScopeBegin);
    CHECK(team::t_here.member == nullptr);
    parallel({.size = 2}, [&](int) { CHECK(team::t_here.member->team->from == root); });
    CHECK(team::t_here.member == root);
  });
}

TEST_CASE("a thread returns from a league to its region") {
  for (StartToolResult* second : {static_cast<StartToolResult*>(nullptr), &g_plain_tool}) {
    fresh::process(kShared, [second] {
      start(second);
      fake::self(0).max_active_levels = 3;
      parallel({.size = 2}, [](int number) {
        const team::Member* const own = team::t_here.member;
        REQUIRE(is_member(number, 2));
        for (int round = 0; round < 2; ++round) {
          initial_task(kScopeBegin, 0);
          CHECK(is_outside());
          parallel({.size = 2}, [](int) { CHECK(is_outside()); });
          initial_task(kScopeBegin, 0);
          initial_task(kScopeEnd, 0);
          CHECK(is_outside());
          initial_task(kScopeEnd, 0);
          CHECK(team::t_here.member == own);
        }
      });
      CHECK(misplaced(false) == 0);
    });
  }
}

TEST_CASE("a member of another runtime's team stays in its team if this runtime begins and ends") {
  for (StartToolResult* second : {static_cast<StartToolResult*>(nullptr), &g_plain_tool}) {
    fresh::process(kShared, [second] {
      start(second);
      team::Team* const team = team::fork_begin(fake::calls(1), nullptr, 2);
      team::member_begin(team, 1, 2);
      REQUIRE(is_member(1, 2));
      const team::Member* const own = team::t_here.member;
      initial_task(kScopeBegin);
      CHECK(team::t_here.member == own);
      parallel({.size = 3}, [&](int number) {
        CHECK(is_member(number, 3));
        CHECK((team::t_here.member->team->from == own));
      });
      CHECK(team::t_here.member == own);
      initial_task(kScopeEnd);
      CHECK(team::t_here.member == own);
    });
  }
}
