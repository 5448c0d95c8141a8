// SPDX-License-Identifier: BSD-3-Clause
#include "worksharing/loop.hpp"

#include "worksharing/computed.hpp"
#include "worksharing/loop_clock.hpp"

namespace nestbind::worksharing {

namespace {

// True if `runtime` has forked the innermost region. Otherwise another runtime runs the loop, or
// the loop is in a target region on the host.
bool is_in_team(const Shared& team, const omp::Calls& runtime) {
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
  const Member* member = own_member();
  if (member == nullptr || member->shared == nullptr) {
    return false;
  }
  const Shared& team = *member->team;
  if (kind == LoopKind::kRuntime &&
      team.chosen_from.load(std::memory_order_relaxed) <= member->barriers) {
    return false;
  }
  return team.schedule != nullptr && takes(team.schedule->settings.schedule, kind) &&
         is_in_team(team, runtime);
}

void begin_taken(std::uint64_t iterations, std::uint64_t chunk, std::uintptr_t address,
                 bool is_monotonic) {
  Member& member = *own_member();
  member.computed_from = g_counts_computed.load(std::memory_order_relaxed) ? computed_so_far() : 0;
  member.shared->begin(
      {.iterations = iterations, .grain = chunk, .address = address, .is_monotonic = is_monotonic},
      member.team->schedule->settings);
}

const Numbers* find_next(loops::Range& range) {
  Member& member = *own_member();
  loops::Member& shared = *member.shared;
  note_time(shared);
  if (shared.next(range)) {
    return &member.numbers;
  }
  note_time(shared);
  if (member.computed_from != 0) {
    add_computed(member.computed_from, member.team->size);
    member.computed_from = 0;
  }
  return nullptr;
}

void give_up(loops::Member& member) { member.leave(); }

}  // namespace nestbind::worksharing
