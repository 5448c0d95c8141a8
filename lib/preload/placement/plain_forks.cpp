// SPDX-License-Identifier: BSD-3-Clause
#include "placement/plain_forks.hpp"

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "memory/orders/obey_orders.hpp"
#include "observe/observer.hpp"
#include "omp/runtime_affinity.hpp"
#include "options/settings.hpp"
#include "placement/expected_workers.hpp"
#include "placement/outside.hpp"
#include "placement/owed_size.hpp"
#include "placement/owner.hpp"
#include "placement/owner_word.hpp"
#include "placement/part.hpp"
#include "placement/plans.hpp"
#include "placement/purpose.hpp"
#include "placement/refused_team.hpp"
#include "placement/root_parts.hpp"
#include "placement/seen_places.hpp"
#include "placement/team_places.hpp"
#include "workers/pools.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

[[gnu::noinline]] void stand_up() {
  binding::unbind_self();
  tell_no_slot();
}

[[gnu::noinline]] const Place* forked_unmanaged(const Place* place) {
  if (t_thread.bound.bits != nullptr) {
    stand_up();
  }
  keep_to_part();
  return place;
}

namespace {

void enter_unmanaged(team::Member& member, const Thread& thread) {
  if (&member != &team::g_nowhere) {
    member.place = &g_unmanaged;
  }
  if (thread.bound.bits != nullptr) {
    stand_up();
  }
  keep_to_part();
}

// Binds a member to its planned place. A team of one thread never changes its thread's binding.
[[gnu::noinline]] void settle(const Place& place, bool may_have_moved) {
  const Thread& thread = t_thread;
  const bool is_there = thread.slot_id != 0 && thread.bound.bits == place.planned.mask.bits;
  if (place.size == 1 || is_there) {
    if (may_have_moved) {
      undo_runtime_s_mask();
    }
    if (place.size > 1 && thread.slot_id != place.slot_id) {
      binding::take_slot(place.slot_id);
      tell_slot(place, true);
    }
    return;
  }
  if (place.number == 0 && place.level == 1) {
    follow_mask_of_owner();  // takes effect at the next fork, because this team is already planned
  }
  bind_to(place);
}

void note_pool(Thread& thread, int size) {
  thread.pool = size;
  workers::note_own_team(size);
}

[[gnu::noinline]] const Place* place_outside(const omp::Calls& runtime) {
  Thread& thread = t_thread;
  leave_untracked(thread);
  if (const Place* place = own_place()) {
    return place;
  }
  return root_fork(runtime);
}

const Place* place_of_self(const omp::Calls& runtime) {
  const Place* own = own_place();
  const Place* place =
      own != nullptr && t_thread.untracked_in == nullptr ? own : place_outside(runtime);
  return is_planned(place) ? place : forked_unmanaged(place);
}

[[gnu::noinline]] const Place* observed_fork(const omp::Calls& runtime, const void* code) {
  const Place* place = place_of_self(runtime);
  tell_fork(place, code);
  return place;
}

[[gnu::always_inline]] inline bool is_root_as_before(const team::Member& from,
                                                     const omp::Calls& runtime) {
  const PlanInForce* const plan = g_in_force.load(std::memory_order_acquire);
  const Thread& thread = t_thread;
  const binding::Sized& sized = thread.sized[0];
  return plan != nullptr && from.hands_on == &plan->root && sized.plan == plan &&
         sized.runtime == &runtime && from.team == nullptr && team::t_here.told == &runtime &&
         g_owner.thread.load(std::memory_order_acquire) == as_word(thread);
}

[[gnu::always_inline]] inline bool forks_as_before(const omp::Calls& runtime) {
  const team::Member* const from = team::t_here.member;
  const Thread& thread = t_thread;
  if (from == nullptr || thread.untracked_in != nullptr || observe::somebody_listens()) {
    return false;
  }
  return from->place != nullptr ? from->place == from->hands_on && is_planned(from->place)
                                : is_root_as_before(*from, runtime);
}

void fork_owed(const omp::Calls& runtime, const void* code, unsigned asked) {
  if (asked == 0 && team::t_here.told == &runtime) {
    pay(runtime);
  } else {
    give_owed_size(runtime, asked);
  }
  plain::fork_if_new(runtime, code);
}

// A league's thread has the place of the thread that encountered the league.
void open_league(const team::Team& team) { team.members[0].place = team.from->place; }

// The runtime binds threads, too, if OMP_PROC_BIND or a similar variable is set. LLVM's runtime
// gives all processors to a thread that comes from another runtime's region.
bool may_have_moved(const omp::Calls& runtime) {
  const omp::Calls* const before = team::t_here.told;
  return options::settings().competing != nullptr || (before != nullptr && before != &runtime);
}

void begin_as_primary(Thread& thread, const Place* parent, int size) {
  if (size > 1 && size != thread.pool && parent != nullptr && parent->level == 0) {
    note_pool(thread, size);
  }
}

void take_place(team::Member& member, const team::Team& told) {
  Thread& thread = t_thread;
  const omp::Calls& runtime = *told.runtime;
  const bool is_nowhere = member.team == nullptr;
  const team::Team& team = is_nowhere ? told : *member.team;
  thread.owed_size = 0;
  if (thread.was_paid) {
    count_anew(runtime, team.size);
  }
  note_if_refused(team);
  const Place* const parent = team.parent;
  if (member.number != 0) {
    thread.untracked_in = nullptr;
  } else {
    begin_as_primary(thread, parent, team.size);
  }
  if (parent == nullptr) {
    if (!is_nowhere) {
      team::write_if_other(member.place, static_cast<const Place*>(nullptr));
    }
    if (thread.bound.bits != nullptr) {
      stand_up();
    }
    return;
  }
  const Planned* planned = is_nowhere ? nullptr : planned_of(team);
  if (planned == nullptr) {
    enter_unmanaged(member, thread);
    return;
  }
  const Place& place = planned->members[member.number];
  team::write_if_other(member.place, &place);
  // The first member that arrives prints the warning, before any warning of an inner team.
  if (planned->warning.load(std::memory_order_relaxed) != nullptr) {
    tell_crowd(*planned);
  }
  const bool has_perhaps_moved = may_have_moved(runtime);
  if (thread.slot_id != place.slot_id || has_perhaps_moved) {
    settle(place, has_perhaps_moved);
  }
  give_next_size(place, runtime);
  if (observe::somebody_listens()) {
    note_seen(place, *planned);
  }
}

[[gnu::noinline]] void begin_anew(team::Member& member, const team::Team& told) {
  take_place(member, told);
  if (omp::some_lines_are_taken()) {
    display_self(*told.runtime);
  }
}

bool is_settled(const team::Member& member, const Place& place, const omp::Calls& runtime) {
  const Thread& thread = t_thread;
  const bool has_no_pool = member.number != 0 || place.level > 1 || thread.pool == place.size;
  return member.place == &place && thread.slot_id == place.slot_id && has_no_pool &&
         (!thread.was_paid || place.size > 1) && thread.untracked_in == nullptr &&
         team::t_here.told == &runtime && options::settings().competing == nullptr &&
         !observe::somebody_listens() && !omp::some_lines_are_taken();
}

}  // namespace

namespace plain {

[[gnu::noinline]] void fork_anew(const omp::Calls& runtime, const void* code) {
  const Place* place =
      observe::somebody_listens() ? observed_fork(runtime, code) : place_of_self(runtime);
  team::write_if_other(team::here().hands_on, place);
}

void fork_if_new(const omp::Calls& runtime, const void* code) {
  if (!forks_as_before(runtime)) {
    fork_anew(runtime, code);
  }
}

void fork(const omp::Calls& runtime, const void* code, unsigned asked) {
  memory::obey_orders();
  if (t_thread.owed_size > 0) {
    fork_owed(runtime, code, asked);
  } else {
    fork_if_new(runtime, code);
  }
}

void open(team::Team& team) {
  if (team.kind != team::Team::Kind::kTeam) {
    open_league(team);
    return;
  }
  team::write_if_other(team.parent, team.from->hands_on);
  const bool is_known = team.planned != nullptr && team.planned->parent == team.parent &&
                        team.planned->size == team.size;
  if (!is_known && is_planned(team.parent)) {
    plan(team);
  }
}

void expect(team::Team& team) {
  const bool is_as_before = team.parent == team.from->hands_on && planned_of(team) != nullptr;
  if (team.ready > 0 && !is_as_before) {
    open(team);
  }
  if (!team.runtime->is_llvm || team.pool != nullptr) {  // LLVM's runtime keeps its own workers
    expect_workers(team);
  }
}

void begin(team::Member& member, const team::Team& told) {
  const Planned* const planned = member.team == nullptr ? nullptr : planned_of(*member.team);
  if (planned == nullptr || !is_settled(member, planned->members[member.number], *told.runtime)) {
    begin_anew(member, told);
    return;
  }
  t_thread.owed_size = 0;
  t_thread.was_paid = false;
  if (member.place->planned.next_size > 0) {
    give_next_size(*member.place, *told.runtime);
  }
}

void end(team::Member& member, team::Team* joined) {
  owe_size_after(joined);
  if (joined != nullptr && joined->pool != nullptr) {
    workers_return(*joined);
  }
  if (observe::somebody_listens()) {
    tell_left(member.place);
  }
}

// If no thread owns the plan, this thread becomes the owner before the league's other threads fork.
void league(const omp::Calls& runtime) {
  if (own_place() == nullptr && !plan_has_owner()) {
    root_fork(runtime);
  }
}

void root_ends(team::Member& root) {
  root.place = nullptr;
  root.hands_on = nullptr;
  leave_roots();
}

}  // namespace plain

}  // namespace nestbind::placement
