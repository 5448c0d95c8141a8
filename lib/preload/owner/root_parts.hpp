// SPDX-License-Identifier: BSD-3-Clause
// Which part of the machine the teams of a root thread have (NESTBIND_ROOTS). Ranks of a node
// divide first, then the processes of one tree, then the root threads of a process. Parts only
// place teams: they change no size.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "owner/purpose.hpp"
#include "owner/roots.hpp"
#include "places/plans.hpp"
#include "ranks/meeting/tree.hpp"
#include "support/clock.hpp"

namespace nestbind::placement {

// True if all root threads have places for their teams. False if only the owner has them.
bool root_threads_divide();

// True if the thread's part, and what it was told, are still right at a fork outside of regions.
inline bool keeps_part(const binding::Thread& thread) {
  const long due = g_roots.due();
  return thread.division == g_division.load(std::memory_order_acquire) && !is_look_due(thread) &&
         !ranks::tree_has_changed() && (due == Roots::kNever || support::milliseconds_now() < due);
}

// True if, before Thread::next_look, keeps_part() has to look only at the division and at
// ranks::others_came().
inline bool keeps_part_quietly(const binding::Thread& thread) {
  return thread.division == g_division.load(std::memory_order_acquire) &&
         g_roots.due() == Roots::kNever && ranks::is_alone_in_tree();
}

// Finds the part of the calling thread, which is outside of regions. `is_several` is true if it is
// about to fork two or more threads, or a team that the specification binds: then it becomes a root
// thread. If not, it gets the part of the next root thread. Returns false if its teams have no
// places: another thread owns the plan, or there is no memory. After the call, the plan in force
// may be another.
bool take_part(bool is_several);

// Returns the place where the calling thread's outermost teams fork by `whole`, which is a plan for
// the process's present mask. take_part() must have returned true. Returns null if it fails.
const Place* place_in_part(PlanInForce* whole);

// True if the calling thread, which has forked a region of one thread, must become a root thread
// before it forks a larger team there.
inline bool is_not_root_yet(const Place& place) {
  return !place.is_active && binding::t_thread.root == nullptr && root_threads_divide();
}
void become_root_inside();

// Called at the begin and end of a root thread's region.
[[gnu::always_inline]] inline void part_is_used(const binding::Thread& thread) {
  if (thread.root != nullptr && thread.root->outside_since.load(std::memory_order_relaxed) != 0) {
    thread.root->outside_since.store(0, std::memory_order_relaxed);
    thread.root->is_in_tree = ranks::tree_inside();
  }
}
inline void part_is_unused(const binding::Thread& thread) {
  if (thread.root != nullptr) {
    const long now = support::milliseconds_now();
    thread.root->outside_since.store(now, std::memory_order_relaxed);
    if (thread.root->is_in_tree) {
      thread.root->is_in_tree = false;
      ranks::tree_outside(now);
    }
  }
}

// Called when a root thread ends.
void leave_roots();
// Only the calling thread's part and ownership stay. The plan has no owner if this thread was none.
void keep_root_in_child();

}  // namespace nestbind::placement
