// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include "observe/observer.hpp"
#include "observe/output.hpp"
#include "observe/teams_report.hpp"
#include "options/settings.hpp"
#include "process/message.hpp"
#include "process/output_file.hpp"
#include "process/traced.hpp"

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

using process::Traced;

void trace_forked(const Fork& fork) {
  // The module is not looked up here: the loader may be waiting for this region.
  process::trace(Traced::kFork, fork.level, reinterpret_cast<long>(fork.code));
}

void trace_team_placed(const PlacedTeam& team) {
  for (int i = 0; i < team.size; ++i) {
    const Member& member = team.members[i];
    support::TextBuffer text;
    for (int above = 0; above < team.level - 1; ++above) {
      text.add("%d.", team.primary[above]);
    }
    text.add("%d ", member.number);
    add_cpus(member.mask, true, text);
    process::trace(Traced::kPlaced, member.thread_id, 0, 0, text.text());
  }
}

void trace_member_left(const Member& member) {
  process::trace(Traced::kLeft, member.level, member.number);
}

}  // namespace

constinit Observer g_report{.forked = forked,
                            .team_placed = team_placed,
                            .member_left = member_left,
                            .in_child = forget_waiting_teams,
                            .refused = report_refused};

void begin_trace() {
  const char* const name = options::settings().trace;
  if (name == nullptr) {
    return;
  }
  static constinit Observer trace{
      .forked = trace_forked, .team_placed = trace_team_placed, .member_left = trace_member_left};
  support::TextBuffer file;
  process::expand_file_name(name, file);
  if (const char* const why = process::begin_trace(file.text())) {
    process::say(process::Severity::kWarning, "the trace cannot be written to %s: %s", file.text(),
                 why);
  }
  if (process::is_traced()) {
    add(trace);
    const char* const text = options::settings().text;
    process::trace(Traced::kBegins, getpid(), 0, 0, text == nullptr ? "" : text);
  }
}

}  // namespace nestbind::observe
