// SPDX-License-Identifier: BSD-3-Clause
// Root threads that divide the machine (NESTBIND_ROOTS): each forks by the plan for its part.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "placement/plans.hpp"
#include "placement/roots.hpp"
#include "support/clock.hpp"

namespace nestbind::placement {

extern constinit Roots g_roots;

// Like root_fork, but for a specification whose plan is divided. The thread becomes a root thread
// if it forks several threads (Thread::forks). Otherwise the thread forks in the part that a new
// root thread would get.
const Place* fork_of_part(const omp::Calls& runtime, PlanInForce* whole);

// Makes the calling thread, which is only in regions of one thread, a root thread if it forks
// several threads.
void become_root_inside(const omp::Calls& runtime, unsigned asked);

// Returns the plan by which the calling thread would fork now, outside of regions: `whole`, the
// plan of a root thread's part, or null if there is no plan. Does not make the plan.
PlanInForce* plan_at_next_fork(PlanInForce* whole);

// Returns the size of the team that the calling thread would fork now. told: the size that the
// runtime reports.
int size_if_forked(const omp::Calls& runtime, int told);

// Whether the roots' parts of the machine are the same as when g_division had this value.
inline bool is_same_division(unsigned division) {
  const long due = g_roots.due();
  return division == g_division.load(std::memory_order_acquire) &&
         (due == Roots::kNever || support::milliseconds_now() < due);
}

// leave_roots() is called when a root thread ends, keep_root_in_child() in a forked child.
void leave_roots();
void keep_root_in_child();

}  // namespace nestbind::placement
