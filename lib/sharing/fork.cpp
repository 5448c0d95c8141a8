// SPDX-License-Identifier: BSD-3-Clause
#include "sharing/fork.hpp"

#include "sharing/kept.hpp"
#include "sharing/schedule.hpp"
#include "sharing/seats.hpp"

namespace nestbind::sharing {

namespace {

// A team of another size has come than was expected. Said by the encountering thread; its next fork
// with this request is opened for that size.
[[gnu::noinline]] void expect(Team& team, int size) {
  if (team.request != nullptr && team.request->expected != size) {
    team.request->expected = size;
    team.request->team = nullptr;
  }
}

}  // namespace

Team* fork_begin(const omp::Calls& runtime, const placement::Place* place, int size) {
  start();
  if (t_member == nullptr) {
    t_member = &root();
  }
  Team& team = team_for(*t_member, runtime, size);
  if (team.shared == nullptr) {
    return &team;
  }
  const InForce* schedule = schedule_for_fork();
  if (team.schedule != schedule) {
    team.schedule = schedule;
  }
  if (schedule != nullptr) {
    const loops::Places places = seats_of(team, place);  // may change the version
    team.shared->open(places, team.version, schedule->settings.schedule.sharing);
  }
  return &team;
}

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
  t_member = &member;
}

void member_end(Team* team, int number) { t_member = number == 0 ? team->from : nullptr; }

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

}  // namespace nestbind::sharing
