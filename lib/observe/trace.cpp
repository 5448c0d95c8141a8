// SPDX-License-Identifier: BSD-3-Clause
#include "observe/trace.hpp"

#include "interpose/module.hpp"
#include "observe/cpu_list.hpp"
#include "process/trace.hpp"

namespace nestbind::observe {

namespace {

using process::Traced;

void forked(const Fork& fork) {
  const char* module = fork.code == nullptr ? nullptr : interpose::module_name(fork.code);
  process::trace(Traced::kFork, fork.level, reinterpret_cast<long>(fork.code), 0,
                 module == nullptr ? "" : module);
}

void team_placed(const PlacedTeam& team) {
  for (int i = 0; i < team.size; ++i) {
    const Member& member = team.members[i];
    support::TextBuffer cpus;
    add_ranges(member.mask, cpus);
    process::trace(Traced::kPlaced, member.level, member.number, member.thread_id, cpus.text());
  }
}

void member_left(const Member& member) {
  process::trace(Traced::kLeft, member.level, member.number);
}

}  // namespace

constinit Observer g_trace{
    .forked = forked, .team_placed = team_placed, .member_left = member_left};

}  // namespace nestbind::observe
