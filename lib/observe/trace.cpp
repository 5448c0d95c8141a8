// SPDX-License-Identifier: BSD-3-Clause
#include "observe/trace.hpp"

#include "observe/cpu_list.hpp"
#include "process/trace.hpp"

namespace nestbind::observe {

namespace {

using process::Traced;

void forked(const Fork& fork) {
  // Not its module: the loader, which knows that, may be waiting for this region.
  process::trace(Traced::kFork, fork.level, reinterpret_cast<long>(fork.code));
}

void team_placed(const PlacedTeam& team) {
  for (int i = 0; i < team.size; ++i) {
    const Member& member = team.members[i];
    support::TextBuffer text;
    for (int above = 0; above < team.level - 1; ++above) {
      text.add("%d.", team.master[above]);
    }
    text.add("%d ", member.number);
    add_cpus(member.mask, true, text);
    process::trace(Traced::kPlaced, member.thread_id, 0, 0, text.text());
  }
}

void member_left(const Member& member) {
  process::trace(Traced::kLeft, member.level, member.number);
}

}  // namespace

constinit Observer g_trace{
    .forked = forked, .team_placed = team_placed, .member_left = member_left};

}  // namespace nestbind::observe
