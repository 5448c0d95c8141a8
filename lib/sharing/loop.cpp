// SPDX-License-Identifier: BSD-3-Clause
#include "sharing/loop.hpp"

#include "sharing/clock.hpp"

namespace nestbind::sharing {

namespace {

// The region is the runtime's, too: not a loop of another runtime in it, which has no team there,
// nor one in a target region on the host, which begins anew in the middle of another.
bool is_in_team(const Team& team, const omp::Calls& runtime) {
  return team.runtime->get_num_threads == runtime.get_num_threads &&
         runtime.get_num_threads() == team.size;
}

void note_time(loops::Member& member) {
  if (member.wants_time()) {
    member.note_time(now());
  }
}

}  // namespace

bool is_taken(LoopKind kind, const omp::Calls& runtime) {
  const Member* member = t_member;
  if (member == nullptr || member->shared == nullptr) {
    return false;
  }
  const Team& team = *member->team;
  if (kind == LoopKind::kRuntime &&
      team.chosen_from.load(std::memory_order_relaxed) <= member->barriers) {
    return false;
  }
  return team.schedule != nullptr && takes(team.schedule->settings.schedule, kind) &&
         is_in_team(team, runtime);
}

bool begin(const LoopBegin& loop, const omp::Calls& runtime) {
  if (!is_taken(loop.kind, runtime)) {
    end();
    return false;
  }
  Member& member = *t_member;
  member.whose = Whose::kOurs;
  member.numbers = loop.numbers;
  member.shared->begin({.iterations = loop.numbers.iterations,
                        .grain = loop.chunk,
                        .address = loop.address,
                        .is_monotonic = loop.is_monotonic},
                       member.team->schedule->settings);
  return true;
}

const Numbers* next(loops::Range& range) {
  const Member& member = *t_member;
  loops::Member& shared = *member.shared;
  note_time(shared);
  if (shared.next(range)) {
    return &member.numbers;
  }
  note_time(shared);
  return nullptr;
}

bool has_last() { return t_member->shared->has_last(); }

bool end() {
  Member* const member = t_member;
  if (member == nullptr || member->whose != Whose::kOurs) {
    return false;
  }
  member->whose = Whose::kRuntimes;
  if (member->shared->is_open()) {
    member->shared->leave();
  }
  return true;
}

void pass_barrier(const omp::Calls& runtime) {
  Member* const member = t_member;
  if (member != nullptr && member->shared != nullptr &&
      member->team->runtime->get_num_threads == runtime.get_num_threads) {
    ++member->barriers;
    member->shared->pass_barrier();
  }
}

}  // namespace nestbind::sharing
