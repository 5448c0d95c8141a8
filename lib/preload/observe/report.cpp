// SPDX-License-Identifier: BSD-3-Clause
#include "observe/observer.hpp"
#include "observe/teams_report.hpp"
#include "options/settings.hpp"

namespace nestbind::observe {

namespace {

constexpr long kQuiet = 1000;  // milliseconds without a new team

// Makes no system call if no team waits, because this function runs at every fork.
void forked(const Fork&) {
  if (waiting_teams_are_quiet(kQuiet)) {
    report_waiting_teams();
  }
}

void team_placed(const PlacedTeam& team) {
  if (options::settings().report_now || !report_later(team)) {
    report_at_once(team);
  }
}

// The outermost region ends when its primary thread leaves.
void member_left(const Member& member) {
  if (some_teams_wait() && member.level == 1 && member.number == 0) {
    report_waiting_teams();
  }
}

}  // namespace

constinit Observer g_report{.forked = forked,
                            .team_placed = team_placed,
                            .member_left = member_left,
                            .in_child = forget_waiting_teams,
                            .refused = report_refused};

}  // namespace nestbind::observe
