// SPDX-License-Identifier: BSD-3-Clause
#include "sharing/fork.hpp"

#include "sharing/kept.hpp"
#include "sharing/schedule.hpp"
#include "sharing/seats.hpp"

namespace nestbind::sharing {

namespace {

constinit std::atomic<bool> g_has_forked{false};

// A team of another size has come than was expected. Said by the encountering thread; its next fork
// with this request is opened for that size.
[[gnu::noinline]] void expect(Team& team, int size) {
  if (team.request != nullptr && team.request->expected != size) {
    team.request->expected = size;
    team.request->team = nullptr;
  }
}

// Nobody who is in the team writes or takes back a 0.
bool is_chosen_from_begin(const Team& team) {
  return team.chosen_from.load(std::memory_order_relaxed) == 0;
}

}  // namespace

Team* fork_begin(const omp::Calls& runtime, const placement::Place* place, int size) {
  start();
  Member& from = here_or_root();
  Team& team = team_for(from, runtime, size);
  if (team.shared == nullptr) {
    return &team;
  }
  const std::uint64_t chosen_from = from.forks.runtime_is_chosen ? 0 : Team::kNever;
  if (team.chosen_from.load(std::memory_order_relaxed) != chosen_from) {
    team.chosen_from.store(chosen_from, std::memory_order_relaxed);
  }
  const InForce* schedule = schedule_for_fork();
  if (team.schedule != schedule) {
    team.schedule = schedule;
    g_has_forked.store(true, std::memory_order_relaxed);
  }
  if (schedule != nullptr) {
    const loops::Places places = seats_of(team, place);  // may change the version
    team.shared->open(places, team.version, schedule->settings.schedule.sharing);
  }
  return &team;
}

bool has_forked() { return g_has_forked.load(std::memory_order_relaxed); }

void member_begin(Team* team, int number, int size) {
  if (team->shared == nullptr || size != team->size) {
    if (number == 0) {
      expect(*team, size);
    }
    t_member = &g_nowhere;
    return;
  }
  Member& member = team->members[number];
  member.whose = Whose::kRuntimes;
  member.barriers = 0;
  member.forks = {.runtime_is_chosen = is_chosen_from_begin(*team)};
  t_member = &member;
}

void member_end(Team* team, int number) {
  if (number != 0) {
    t_member = nullptr;
    return;
  }
  t_member = team->from;
  if (team->shared == nullptr) {
    give_back_lent(*team);
  }
}

bool carry(Team& team, const void* what) {
  if (&team == &g_nowhere_team) {
    return false;
  }
  if (team.carried != what) {
    team.carried = what;
  }
  return true;
}

const void* carried(const Team& team) { return team.carried; }

Team* nowhere() { return &g_nowhere_team; }

void be_nowhere() { t_member = &g_nowhere; }

}  // namespace nestbind::sharing
