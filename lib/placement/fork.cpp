// SPDX-License-Identifier: BSD-3-Clause
// What happens at a fork: from the forking thread's place to the places of its team.
#include "placement/fork.hpp"

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "observe/observer.hpp"
#include "omp/affinity.hpp"
#include "options/settings.hpp"
#include "placement/bind.hpp"
#include "placement/display.hpp"
#include "placement/leave.hpp"
#include "placement/owed_size.hpp"
#include "placement/owner.hpp"
#include "placement/part.hpp"
#include "placement/places.hpp"
#include "placement/plans.hpp"
#include "placement/purpose.hpp"
#include "placement/seen.hpp"
#include "placement/start.hpp"
#include "workers/crew.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

namespace {

// Of a bound thread: it has no place any more.
[[gnu::noinline]] void stand_up() {
  binding::unbind_self();
  tell_no_seat();
}

void enter_apart(Thread& thread) {
  thread.place = &g_apart;
  if (thread.bound.bits != nullptr) {
    stand_up();
  }
  keep_to_part();
}

// Binds a member that is not where its team has it, or that others than we may have moved. A team
// of one changes nothing, not even for a thread that has never been bound.
[[gnu::noinline]] void settle(const Place& place, bool may_have_moved) {
  const Thread& thread = t_thread;
  const bool is_there = thread.seated != nullptr && thread.bound.bits == place.planned.mask.bits;
  if (place.size == 1 || is_there) {
    if (may_have_moved) {
      undo_runtime_s_mask();
    }
    if (place.size > 1 && thread.seated != place.seat) {
      binding::take_seat(place.seat);
      tell_seat(place, true);
    }
    return;
  }
  if (place.number == 0 && place.level == 1) {
    follow_mask_of_owner();  // from the next fork on: this team is planned
  }
  bind_to(place);
}

// The threads of the outermost team, which its runtime keeps.
void note_pool(Thread& thread, int size) {
  thread.pool = size;
  workers::note_own_team(size);
}

// The place of a thread that forks from outside of regions, or perhaps does: it may have left a
// region whose beginning was not seen.
[[gnu::noinline]] const Place* place_outside(const omp::Calls& runtime) {
  Thread& thread = t_thread;
  leave_untracked(thread);
  if (thread.place != nullptr) {
    return thread.place;
  }
  start();
  return root_fork(runtime);
}

// A team that is not planned begins with the process's mask, and so do threads that are created for
// it, which inherit their creator's.
[[gnu::noinline]] const Place* forked_apart(const Place* place) {
  if (t_thread.bound.bits != nullptr) {
    stand_up();
  }
  keep_to_part();
  return place;
}

const Place* place_of_self(const omp::Calls& runtime) {
  const Thread& thread = t_thread;
  const Place* place = thread.place != nullptr && thread.untracked_in == nullptr
                           ? thread.place
                           : place_outside(runtime);
  return is_planned(place) ? place : forked_apart(place);
}

[[gnu::noinline]] const Place* observed_fork(const omp::Calls& runtime, const void* code) {
  const Place* place = place_of_self(runtime);
  tell_fork(place, code);
  return place;
}

}  // namespace

const Place* fork_begin(const omp::Calls& runtime, const void* code, unsigned asked) {
  if (t_thread.owed_size > 0) {
    give_owed_size(runtime, asked);
  }
  return observe::somebody_listens() ? observed_fork(runtime, code) : place_of_self(runtime);
}

void league_begin(const omp::Calls& runtime) {
  if (t_thread.place == nullptr && !plan_has_owner()) {
    start();
    root_fork(runtime);
  }
}

const Place* parent_by_path(const omp::Calls& runtime) {
  PlanInForce* plan = plan_in_force();
  if (plan == nullptr || make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  return place_by_ancestors(&plan->root, runtime, runtime.get_level() - 1);
}

bool told_by_other(const omp::Calls& runtime) {
  const omp::Calls* told = t_thread.omp;
  return told != nullptr && told != &runtime;
}

namespace {

void take_place(const Place* parent, int number, int size, const omp::Calls& runtime) {
  Thread& thread = t_thread;
  thread.owed_size = 0;
  if (thread.was_paid) {
    count_anew(runtime, size);
  }
  if (number != 0) {
    leave(thread.place);
    thread.untracked_in = nullptr;
  } else {
    thread.expected_parent = nullptr;
    thread.crew = nullptr;
    if (size > 1 && size != thread.pool && parent != nullptr && parent->level == 0) {
      note_pool(thread, size);
    }
  }
  // LLVM's runtime gives a thread that it meets in another runtime's region all processors.
  const bool met_other = thread.omp != nullptr && thread.omp != &runtime;
  thread.omp = &runtime;
  if (parent == nullptr) {
    thread.place = nullptr;
    if (thread.bound.bits != nullptr) {  // the specification has ended since
      stand_up();
    }
    return;
  }
  const Team* team = is_apart(parent) ? nullptr : team_of(parent, size);
  if (team == nullptr) {
    enter_apart(thread);
    return;
  }
  const Place& place = team->members[number];
  thread.place = &place;
  // By the first that comes, not the master: the inner team of that one may tell of more threads.
  if (team->warning.load(std::memory_order_relaxed) != nullptr) {
    tell_crowd(*team);
  }
  // Where another setting makes the OpenMP runtime bind threads too, a record may be out of date.
  const bool may_have_moved = options::settings().competing != nullptr || met_other;
  if (thread.seated != place.seat || may_have_moved) {
    settle(place, may_have_moved);
  }
  give_next_size(place, runtime);
  if (observe::somebody_listens()) {
    note_seen(place, *team);
  }
}

}  // namespace

void member_begin(const Place* parent, int number, int size, const omp::Calls& runtime) {
  take_place(parent, number, size, runtime);
  if (omp::some_lines_are_taken()) {
    display_self(runtime);
  }
}

void member_end(const Place* parent, int number) {
  Thread& thread = t_thread;
  const Place* left = thread.place;
  leave(left);
  // Outside of the outermost region a thread has no place: its next fork asks for the plan in
  // force.
  const bool goes_on = number == 0 && parent != &g_apart_root && parent != nullptr &&
                       (parent == &g_apart || parent->level > 0);
  thread.place = goes_on ? parent : nullptr;
  if (thread.owed_size > 0 || (goes_on && parent->size == 1)) {
    owe_size_at(thread.place);
  }
  if (observe::somebody_listens()) {
    tell_left(left);
  }
}

}  // namespace nestbind::placement
