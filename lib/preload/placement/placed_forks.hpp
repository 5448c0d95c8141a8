// SPDX-License-Identifier: BSD-3-Clause
// The short way of a fork that repeats the encountering thread's last fork: nothing has happened in
// between that could change a place, a size or a binding.
//
// If a function below returns null or false, nothing was done, and the source calls the function of
// team/fork.hpp. Otherwise the result is as if the source had called it. The short way sets no
// errno. It calls functions only at its end, so its callers save no registers.
#pragma once

#include "binding/thread.hpp"
#include "observe/observer.hpp"
#include "owner/roots.hpp"
#include "placement/expected_workers.hpp"
#include "places/plans.hpp"
#include "ranks/meeting/tree.hpp"
#include "sizes/fork_sizes.hpp"
#include "sizes/told_sizes.hpp"
#include "support/clock.hpp"
#include "team/consumer.hpp"

namespace nestbind::placement {

// From now on, lib/preload/team reports forks to this folder.
void place_forks();

// No rules, no orders and no observers. Does not change after the first fork.
extern bool g_is_plain __attribute__((visibility("hidden")));

// The rest of the short way, for some teams.
void give_size_again(const Place& place, const omp::Calls& runtime);
void leave_region(team::Team& joined);

// True if no other consumer must be told of forks.
inline bool is_only_consumer() {
  return team::Column<&team::Consumer::expect>::second.load(std::memory_order_relaxed) == nullptr;
}

// Returns the place to fork from if nothing has happened since the last fork from there, otherwise
// null. Makes the same decisions as placed_forks.cpp.
[[gnu::always_inline]] inline const Place* place_again(const team::Member& from,
                                                       const omp::Calls& runtime) {
  const binding::Thread& thread = binding::t_thread;
  if (thread.untracked_in != nullptr || team::t_here.told != &runtime) {
    return nullptr;
  }
  if (const Place* const place = from.place) {
    return place->is_quick && (place->is_active || thread.is_root) ? place : nullptr;
  }
  const bool is_same = from.team == nullptr &&
                       thread.division == g_division.load(std::memory_order_acquire) &&
                       thread.sized[0].told == g_told.load(std::memory_order_acquire) &&
                       !ranks::others_came() && support::ticks() < thread.next_look;
  return is_same ? thread.quick_place : nullptr;
}

// For team::fork_begin(). `asked` is never 0.
[[gnu::always_inline]] inline team::Team* fork_again(const omp::Calls& runtime, unsigned asked) {
  const binding::Thread& thread = binding::t_thread;
  team::Member* const from = team::t_here.member;
  if (!g_is_plain || !is_only_consumer() || from == nullptr) {
    return nullptr;
  }
  const Place* const place = place_again(*from, runtime);
  team::Team* const team = from->teams;
  const auto size = static_cast<int>(asked);
  // If the runtime will use the owed size anyway, it is not set.
  if (place == nullptr || team == nullptr || team->again == nullptr || team->asked != size ||
      team->runtime != &runtime || team->parent != place || from->hands_on != place ||
      team->planned->parent != place->id || (thread.owed_size > 0 && thread.owed_size != size) ||
      team->granted.load(std::memory_order_relaxed) != nullptr) {
    return nullptr;
  }
  if (from->team == nullptr) {
    part_is_used(thread);
  }
  from->forked = team;
  team->is_forking = true;
  return team;
}

// True if the source must call expect_workers() after fork_again(). Otherwise the runtime's own
// threads take the same places again.
inline bool needs_workers(const team::Team& team) {
  return team.pool != nullptr ||
         (!team.runtime->is_llvm &&
          (team.parent->level > 0 || team.parent->is_loose || team.created != 0));
}

// For team::member_begin().
[[gnu::always_inline]] inline bool begin_again(team::Team& team, int number, int size) {
  if (team.again == nullptr || team.ready != size) {
    return false;
  }
  binding::Thread& thread = binding::t_thread;
  team::Member& member = team.members[number];
  // A loose place has a slot that no thread has.
  const Place& place = team.again[number];
  if (member.place != &place || member.told != &team || thread.slot_id != place.slot_id ||
      thread.untracked_in != nullptr || team::t_here.told != team.runtime ||
      (thread.was_paid && size == 1)) {
    return false;
  }
  if (number == 0) {
    if (place.level <= 1 && thread.pool != size) {
      return false;
    }
    team.is_forking = false;
    team.is_open = true;
  }
  thread.owed_size = 0;
  thread.was_paid = false;
  team::t_here.member = &member;
  if (place.planned.next_size > 0) {
    give_size_again(place, *team.runtime);
  }
  return true;
}

// For team::member_end().
[[gnu::always_inline]] inline bool end_again(team::Team& team, int number) {
  binding::Thread& thread = binding::t_thread;
  const team::Member* const member = team::t_here.member;
  if (member == nullptr || observe::somebody_listens()) {
    return false;
  }
  if (number != 0) {  // another fork may use the team already
    if (member->told != &team || member->number != number) {
      return false;
    }
    thread.owed_size = 0;
    team::t_here.member = nullptr;
    return true;
  }
  team::Member* const from = team.from;
  if (team.again == nullptr || member != team.members) {
    return false;
  }
  team.is_forking = false;
  team.is_open = false;
  team::t_here.member = from;
  owe_size_after(&team);
  if (team.pool != nullptr || (from->team == nullptr && thread.root != nullptr)) {
    leave_region(team);
  }
  return true;
}

}  // namespace nestbind::placement
