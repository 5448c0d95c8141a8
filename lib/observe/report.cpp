// SPDX-License-Identifier: BSD-3-Clause
#include "observe/report.hpp"

#include "observe/abort.hpp"
#include "observe/teams_report.hpp"
#include "options/settings.hpp"

namespace nestbind::observe {

namespace {

constexpr long kQuiet = 1000;  // milliseconds without a new team

// No system call where that is not so: this is every fork.
void forked(const Fork&) {
  if (waiting_teams_are_quiet(kQuiet)) {
    report_waiting_teams();
  }
}

void team_placed(const PlacedTeam& team) {
  const bool is_now = options::settings().report_now;
  if (!is_now) {
    watch_abort();
  }
  if (is_now || !report_later(team)) {
    report_at_once(team);
  }
}

// The outermost region ends with its master.
void member_left(const Member& member) {
  if (some_teams_wait() && member.level == 1 && member.number == 0) {
    report_waiting_teams();
  }
}

}  // namespace

constinit Observer g_report{.armed = prepare_for_abort,
                            .forked = forked,
                            .team_placed = team_placed,
                            .member_left = member_left,
                            .in_child = forget_waiting_teams};

}  // namespace nestbind::observe
