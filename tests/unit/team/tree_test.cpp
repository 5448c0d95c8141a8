// SPDX-License-Identifier: BSD-3-Clause
// Tests that forks at one place use the same team again, and that memory is bounded.
#include "team/tree.hpp"

#include <sys/resource.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <set>

#include "helpers/fake_omp.hpp"
#include "helpers/fresh_process.hpp"
#include "team/fork.hpp"
#include "worksharing/shared_team.hpp"

using namespace nestbind;
using team::Member;
using team::t_here;
using team::Team;

namespace {

const fresh::Variables kHybrid = {{"NESTBIND_SCHEDULE", "hybrid"}};
const fresh::Variables kPlanned = {{"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                                   {"NESTBIND_MACHINE", fresh::machine("barcelona")},
                                   {"NESTBIND_QUIET", "1"}};
const fresh::Variables kBoth = {{"OMP_NESTING_TEAM_SIZE", "4,scatter,2,subcompact"},
                                {"NESTBIND_MACHINE", fresh::machine("barcelona")},
                                {"NESTBIND_QUIET", "1"},
                                {"NESTBIND_SCHEDULE", "hybrid"}};

Team* fork(int size) { return team::fork_begin(fake::calls(0), nullptr, unsigned(size)); }

Team* granted(int size) {
  Team* team = fork(size);
  team::member_begin(team, 0, size);
  team::member_end(team, 0);
  return team;
}

// Returns the process's resident memory, in bytes.
long memory() {
  long pages = 0;
  long resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  REQUIRE(fscanf(file, "%ld %ld", &pages, &resident) == 2);
  fclose(file);
  return resident * 4096;
}

void fork_all_sizes() {
  for (int outer = 1; outer <= 24; ++outer) {
    Team* const team = fork(outer);
    for (int number = outer - 1; number >= 0; --number) {
      fake::self(0).path = {{number, outer}};
      team::member_begin(team, number, outer);
      for (int inner = 1; inner <= 24; ++inner) {
        Team* const below = fork(inner);
        for (int member = inner - 1; member >= 0; --member) {
          team::member_begin(below, member, inner);
        }
        team::member_end(below, 0);
      }
      team::member_end(team, number);
    }
    fake::self(0).path.clear();
  }
}

}  // namespace

TEST_CASE("a fork finds its previous team by the requested size") {
  fresh::process(kHybrid, [] {
    Team* three = granted(3);
    REQUIRE(three->shared != nullptr);
    CHECK(three->size == 3);
    Team* four = granted(4);
    CHECK(four != three);
    CHECK(fork(3) == three);
    CHECK(fork(4) == four);
    CHECK(team::fork_begin(fake::calls(1), nullptr, 3) == three);  // the runtime does not matter
  });
}

// A sanitizer's allocator ends the process if there is no memory.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST_CASE("a thread returns from a team that found no memory to the outer team") {
  fresh::process(kHybrid, [] {
    Team* outer = fork(2);
    team::member_begin(outer, 0, 2);
    const Member* const own = t_here.member;
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    const rlimit nothing{0, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &nothing) == 0);
    int lost = 0;
    for (int round = 0; round < 1000; ++round) {
      Team* inner = fork(100000);
      team::member_begin(inner, 0, 100000);
      lost += worksharing::own_member() != nullptr && worksharing::own_member()->shared != nullptr;
      Team* deeper = fork(2);
      team::member_begin(deeper, 0, 2);
      team::member_end(deeper, 0);
      team::member_end(inner, 0);
      lost += t_here.member == own ? 0 : 1;
    }
    REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(lost == 0);
    team::member_end(outer, 0);
    CHECK(t_here.member == outer->from);
  });
}
#endif

TEST_CASE("a thread is a member until the end of the primary thread's region") {
  fresh::process(kHybrid, [] {
    Team* team = granted(2);
    CHECK(fork(2) == team);
    team::member_begin(team, 0, 2);
    CHECK(t_here.member == &team->members[0]);
    Team* inner = fork(2);
    CHECK(inner != team);
    CHECK(inner->from == &team->members[0]);
    team::member_begin(inner, 1, 2);
    team::member_end(inner, 1);
    CHECK(t_here.member == nullptr);
    team::member_begin(inner, 0, 2);
    team::member_end(inner, 0);
    CHECK(t_here.member == &team->members[0]);
    team::member_end(team, 0);
    CHECK(t_here.member == team->from);
    CHECK(fork(2) == team);
  });
}

TEST_CASE("the granted size is expected at the next fork") {
  fresh::process(kHybrid, [] {
    Team* team = fork(8);
    team::member_begin(team, 0, 5);
    Team* const granted = t_here.member->team;
    CHECK(granted->size == 5);
    CHECK(worksharing::own_member()->shared != nullptr);
    team::member_end(team, 0);
    CHECK(t_here.member == granted->from);
    Team* next = fork(8);
    CHECK(next == granted);
    team::member_begin(next, 4, 5);
    CHECK(t_here.member == &next->members[4]);
  });
}

TEST_CASE("all members of a team with an unexpected size are in one team") {
  fresh::process(kBoth, [] {
    for (const int size : {3, 5, 3, 24, 5}) {
      Team* const told = fork(7);
      std::atomic<Team*> one{nullptr};
      std::atomic<int> wrong{0};
      fake::run_team(0, fake::Members::kKept, size, [&](int number, int granted) {
        team::member_begin(told, number, granted);
        Team* none = nullptr;
        Team* const own = t_here.member->team;
        wrong += one.compare_exchange_strong(none, own) || none == own ? 0 : 1;
        wrong += own->size == size && t_here.member == &own->members[number] ? 0 : 1;
        wrong += t_here.member->place != nullptr && t_here.member->loops->shared != nullptr ? 0 : 1;
        if (number != 0) {
          team::member_end(told, number);
        }
      });
      team::member_end(told, 0);
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("teams with too many threads are left to the runtime") {
  fresh::process(kHybrid, [] {
    for (const int size : {loops::kMostMembers + 1, 1 << 30}) {
      Team* team = fork(size);
      team::member_begin(team, 0, size);
      CHECK(t_here.member->loops == (size == 1 << 30 ? nullptr : &worksharing::g_nowhere));
      team::member_end(team, 0);
      CHECK(t_here.member == team->from);
    }
    CHECK(granted(loops::kMostMembers)->shared != nullptr);
  });
}

TEST_CASE("new threads reuse the trees of threads that have ended") {
  fresh::process(kHybrid, [] {
    std::set<Team*> teams;
    constexpr int kThreads = 1000;
    for (int i = 0; i < kThreads; ++i) {
      fake::on_new_thread([&] { teams.insert(granted(2)); });
    }
    CHECK(teams.size() == 1);
    CHECK(teams.count(fork(2)) == 1);  // the last thread of this tree has ended
    fake::on_new_thread([&] { CHECK(teams.count(fork(2)) == 0); });
  });
}

// A sanitizer's allocator keeps freed memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kMeasures = false;
#else
constexpr bool kMeasures = true;
#endif

TEST_CASE("sizes from 1 to 24 at two levels take a bounded amount of memory") {
  for (const fresh::Variables& variables : {kHybrid, kPlanned, kBoth}) {
    fresh::process(variables, [] {
      granted(2);
      const long before = memory();
      fork_all_sizes();
      fork_all_sizes();
      const long later = memory();
      CHECK((!kMeasures || later - before <= 24L << 20));
      fork_all_sizes();
      CHECK((!kMeasures || memory() - later <= 1L << 20));
    });
  }
}

TEST_CASE("a thread that has left its runtime is known to be outside") {
  fresh::process(kHybrid, [] {
    Team* team = fork(2);
    team::member_begin(team, 1, 2);
    CHECK_FALSE(team::is_known_outside(fake::calls(0)));
    team::thread_ends();
    CHECK(team::is_known_outside(fake::calls(0)));
  });
}
