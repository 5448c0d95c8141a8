// SPDX-License-Identifier: BSD-3-Clause
// Teams are kept by where they are forked, and are there for the next thread.
#include "sharing/kept.hpp"

#include <sys/resource.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <set>

#include "helpers/fake_omp.hpp"
#include "helpers/fresh_process.hpp"
#include "sharing/fork.hpp"

using namespace nestbind;
using sharing::Member;
using sharing::Team;

namespace {

const fresh::Variables kHybrid = {{"NESTBIND_SCHEDULE", "hybrid"}};

Team* fork(int size) { return sharing::fork_begin(fake::calls(0), nullptr, size); }

}  // namespace

TEST_CASE("a fork finds its team again by the size that was asked for") {
  fresh::process(kHybrid, [] {
    Team* three = fork(3);
    REQUIRE(three->shared != nullptr);
    CHECK(three->size == 3);
    Team* four = fork(4);
    CHECK(four != three);
    CHECK(fork(3) == three);
    CHECK(fork(4) == four);
    CHECK(sharing::fork_begin(fake::calls(1), nullptr, 3) == three);  // of any runtime
  });
}

// A sanitizer's allocator ends the process where there is no memory.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST_CASE("a thread finds back from a team for which there is no memory") {
  fresh::process(kHybrid, [] {
    Team* outer = fork(2);
    sharing::member_begin(outer, 0, 2);
    const Member* const own = sharing::t_member;
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    const rlimit nothing{0, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &nothing) == 0);
    int lost = 0;
    for (int round = 0; round < 1000; ++round) {
      Team* inner = fork(loops::kMostMembers);
      lost += inner->shared == nullptr ? 0 : 1;
      sharing::member_begin(inner, 0, 1);
      Team* deeper = fork(2);
      sharing::member_begin(deeper, 0, 2);
      sharing::member_end(deeper, 0);
      lost += sharing::t_member == &sharing::g_nowhere ? 0 : 1;
      sharing::member_end(inner, 0);
      lost += sharing::t_member == own ? 0 : 1;
    }
    REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(lost == 0);
    CHECK(fork(loops::kMostMembers)->shared != nullptr);
    sharing::member_end(outer, 0);
    CHECK(sharing::t_member == outer->from);
  });
}
#endif

TEST_CASE("a member is where its team is kept until the master's end") {
  fresh::process(kHybrid, [] {
    Team* team = fork(2);
    sharing::member_begin(team, 0, 2);
    CHECK(sharing::t_member == &team->members[0]);
    Team* inner = fork(2);
    CHECK(inner != team);
    CHECK(inner->from == &team->members[0]);
    sharing::member_begin(inner, 1, 2);
    sharing::member_end(inner, 1);
    CHECK(sharing::t_member == nullptr);
    sharing::member_begin(inner, 0, 2);
    sharing::member_end(inner, 0);
    CHECK(sharing::t_member == &team->members[0]);
    sharing::member_end(team, 0);
    CHECK(sharing::t_member == team->from);
    CHECK(fork(2) == team);
  });
}

TEST_CASE("the size that came is expected the next time") {
  fresh::process(kHybrid, [] {
    Team* team = fork(8);
    sharing::member_begin(team, 0, 5);
    CHECK(sharing::t_member == &sharing::g_nowhere);
    CHECK(fork(2)->shared == nullptr);  // nobody knows where that is
    sharing::member_end(team, 0);
    Team* next = fork(8);
    CHECK(next->size == 5);
    sharing::member_begin(next, 4, 5);
    CHECK(sharing::t_member == &next->members[4]);
  });
}

TEST_CASE("where no more levels may be active there is room for the one thread that comes") {
  fresh::process(kHybrid, [] {
    constexpr int kAsked = 3;
    struct Inner {
      int size = 0;         // there is room for
      bool is_ours = true;  // all its members are known
    };
    // What each member of a team of two gets for an inner region.
    const auto inner_regions = [] {
      std::array<Inner, 2> inner;
      Team* outer = fork(2);
      fake::run_team(0, fake::Members::kKept, 2, [&](int number, int size) {
        sharing::member_begin(outer, number, size);
        Team* team = fork(kAsked);
        inner[number].size = team->size;
        std::atomic<bool> is_ours{true};
        fake::run_team(0, fake::Members::kNew, kAsked, [&](int in_team, int granted) {
          sharing::member_begin(team, in_team, granted);
          is_ours = is_ours && sharing::t_member == &team->members[in_team];
          sharing::member_end(team, in_team);
        });
        inner[number].is_ours = is_ours;
        sharing::member_end(outer, number);
      });
      CHECK(inner[0].size == inner[1].size);
      CHECK(inner[0].is_ours == inner[1].is_ours);
      return inner[0];
    };
    CHECK(fake::self(0).max_active_levels == 1);
    CHECK(inner_regions().size == 1);
    CHECK(inner_regions().is_ours);
    fake::self(0).max_active_levels = 2;
    CHECK_FALSE(inner_regions().is_ours);  // expected as the last time
    CHECK(inner_regions().size == kAsked);
    CHECK(inner_regions().is_ours);
    fake::self(0).max_active_levels = 0;
    CHECK(fork(kAsked)->size == 1);
  });
}

TEST_CASE("teams of more threads than can be are the runtime's") {
  fresh::process(kHybrid, [] {
    for (const int size : {loops::kMostMembers + 1, 1 << 30, 0}) {
      Team* team = fork(size);
      CHECK(team->shared == nullptr);
      sharing::member_begin(team, 0, size);
      sharing::member_end(team, 0);
      CHECK(sharing::t_member == team->from);
    }
    CHECK(fork(loops::kMostMembers)->shared != nullptr);
  });
}

TEST_CASE("threads that end leave their trees to the next ones") {
  fresh::process(kHybrid, [] {
    std::set<Team*> teams;
    constexpr int kThreads = 1000;
    for (int i = 0; i < kThreads; ++i) {
      fake::on_new_thread([&] {
        Team* team = fork(2);
        REQUIRE(team->shared != nullptr);
        teams.insert(team);
        sharing::member_begin(team, 0, 2);
        sharing::member_end(team, 0);
      });
    }
    CHECK(teams.size() == 1);
    CHECK(teams.count(fork(2)) == 1);  // its last thread has ended
    fake::on_new_thread([&] { CHECK(teams.count(fork(2)) == 0); });
  });
}
