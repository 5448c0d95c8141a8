// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observer.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>

#include "binding/thread.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "places/place.hpp"

using namespace nestbind;

namespace {

std::mutex g_lock;
std::vector<std::string> g_events;
std::atomic<int> g_left{0};
std::atomic<int> g_armed{0};

void note(const std::string& event) {
  const std::lock_guard lock(g_lock);
  g_events.push_back(event);
}

int events(const std::string& event) {
  const std::lock_guard lock(g_lock);
  int count = 0;
  for (const std::string& one : g_events) {
    count += one == event ? 1 : 0;
  }
  return count;
}

void armed() { ++g_armed; }
void forked(const observe::Fork& fork) { note("fork " + std::to_string(fork.level)); }
void team_placed(const observe::PlacedTeam& team) {
  std::string text = "team ";
  for (int i = 0; i < team.level - 1; ++i) {
    text += std::to_string(team.primary[i]) + ".";
  }
  for (int i = 0; i < team.size; ++i) {
    const observe::Member& member = team.members[i];
    const bool is_whole = member.number == i && member.size == team.size &&
                          member.level == team.level && member.thread_id > 0 &&
                          member.mask != nullptr;
    text += (i == 0 ? "" : " ") + (is_whole ? cpus::text(member.mask->view()) : "?");
  }
  note(text);
}
void member_left(const observe::Member&) { ++g_left; }

observe::Observer g_all{armed, forked, team_placed, member_left};
observe::Observer g_only_armed{armed};

const fresh::Variables kDryRun = {{"OMP_NESTING_TEAM_SIZE", "2,scatter,2,subcompact"},
                                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}};
// Forks are placed with observers in mind only if one listens from the start, as the trace does.
const fresh::Variables kTraced = {kDryRun[0], kDryRun[1], {"NESTBIND_TRACE", "/dev/null"}};

}  // namespace

TEST_CASE("an observer that is added before the specification is told when it is set") {
  fresh::process({}, [] {
    observe::add(g_all);
    CHECK(g_armed == 0);
    observe::tell_armed();
    CHECK(g_armed == 1);
  });
}

TEST_CASE("an observer that is added after the specification is told at once") {
  fresh::process(kDryRun, [] {
    observe::add(g_only_armed);
    CHECK(g_armed == 1);
    CHECK_FALSE(observe::somebody_listens());
    observe::add(g_all);
    CHECK(g_armed == 2);
    CHECK(observe::somebody_listens());
  });
}

TEST_CASE("an observer is told once of each distinct team") {
  fresh::process(kTraced, [] {
    observe::add(g_all);
    fake::rows(2);
    CHECK(events("fork 1") == 1);
    CHECK(events("fork 2") == 2);
    CHECK(events("team 0 8") == 1);
    CHECK(events("team 0.0 1") == 1);
    CHECK(events("team 1.8 9") == 1);
    fake::rows(2);
    fake::rows(1, {.members = fake::Members::kKept});
    CHECK(events("fork 1") == 3);
    CHECK(events("team 0 8") == 1);
    CHECK(events("team 0.0 1") == 1);
    fake::rows(1, {.size = 3});
    CHECK(events("team 0 8 12") == 1);
  });
}

TEST_CASE("an observer is told of members that leave") {
  fresh::process(kTraced, [] {
    observe::add(g_all);
    fake::rows(1, {.members = fake::Members::kKept});
    CHECK(g_left == 2);
    fake::rows(1);  // libgomp's workers report nothing
    CHECK(g_left == 3);
  });
}

TEST_CASE("an observer is not told of unmanaged teams") {
  fresh::process(kTraced, [] {
    fake::rows(1);
    observe::add(g_all);
    fake::on_new_thread([] { fake::rows(1, {.size = 2}); });
    CHECK(g_events.empty());
    CHECK(g_left == 0);
  });
}

TEST_CASE("no record is kept if there are no observers") {
  fresh::process(kDryRun, [] {
    int thread = -1;
    bool is_seen = true;
    fake::parallel({}, [&](int number) {
      if (number == 0) {
        thread = placement::own_place()->thread_id;
        is_seen = placement::own_place()->seen_in != 0;
      }
    });
    CHECK(thread == 0);
    CHECK_FALSE(is_seen);
  });
}

TEST_CASE("functions that an observer does not have are not called") {
  fresh::process(kTraced, [] {
    static observe::Observer left{.member_left = member_left};
    observe::add(left);
    fake::rows(2);
    CHECK(g_events.empty());
    CHECK(g_left > 0);
  });
}
