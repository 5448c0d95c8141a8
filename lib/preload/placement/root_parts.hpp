// SPDX-License-Identifier: BSD-3-Clause
// Root threads may divide the machine (NESTBIND_ROOTS). Each root thread then forks in its own
// part.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "placement/plans.hpp"
#include "placement/roots.hpp"
#include "support/clock.hpp"

namespace nestbind::placement {

extern constinit Roots g_roots;

// Like root_fork, but for a specification whose plan is divided. The thread becomes a root thread
// if it forks several threads (Thread::forks). If not, the thread uses the part of the next root
// thread.
const Place* fork_of_part(const omp::Calls& runtime, PlanInForce* whole);

// Called at a fork in regions of one thread. The calling thread becomes a root thread if it forks
// several threads.
void become_root_inside(const omp::Calls& runtime, unsigned asked);

// Returns the plan of the thread's next fork outside of regions, or null if there is none. Does not
// make the plan.
PlanInForce* plan_at_next_fork(PlanInForce* whole);

// `told` is the size that the runtime reports.
int size_if_forked(const omp::Calls& runtime, int told);

inline bool is_same_division(unsigned division) {
  const long due = g_roots.due();
  return division == g_division.load(std::memory_order_acquire) &&
         (due == Roots::kNever || support::milliseconds_now() < due);
}

void leave_roots();
void keep_root_in_child();

}  // namespace nestbind::placement
