// SPDX-License-Identifier: BSD-3-Clause
#include "placement/team_sizes.hpp"

#include <unistd.h>

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "interpose/module.hpp"
#include "omp/runtime_sizes.hpp"
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "placement/outside.hpp"
#include "placement/own_children.hpp"
#include "placement/place.hpp"
#include "placement/placement_start.hpp"
#include "placement/plans.hpp"
#include "placement/root_sizes.hpp"
#include "placement/seen_places.hpp"
#include "process/traced.hpp"

namespace nestbind::placement {

void runtime_starts() {
  start();
  if (binding::bound_mask().bits != nullptr) {
    binding::unbind_self();
    tell_no_slot();
  }
}

namespace {

// Returns the plan whose sizes the runtime gets; null: none.
PlanInForce* note_runtime(const omp::Calls& runtime) {
  start();
  omp::note_started(runtime);
  if (process::is_traced()) {
    const char* file = interpose::module_name(reinterpret_cast<const void*>(runtime.get_level));
    process::trace(process::Traced::kRuntime, 0, 0, 0, file);
  }
  let_own_threads_win();
  return plan_in_force();
}

}  // namespace

void runtime_started(const omp::Calls& runtime) {
  if (PlanInForce* plan = note_runtime(runtime)) {
    set_root_sizes(runtime, plan, {omp::usual_threads(0), omp::usual_levels()});
  }
}

void runtime_found(const omp::Calls& runtime, bool is_late) {
  PlanInForce* plan = note_runtime(runtime);
  if (plan != nullptr && is_late) {
    give_default_sizes(runtime, plan);
  } else if (plan != nullptr) {
    set_root_sizes(runtime, plan, omp::sizes_of(runtime));
  }
}

bool sizes_before_fork(const omp::Calls& runtime) {
  start();
  const binding::Thread& thread = binding::t_thread;
  PlanInForce* plan = plan_in_force();
  if (plan == nullptr || own_place() != nullptr || thread.chose_size ||
      has_sizes(thread, runtime, plan) || gettid() != getpid() || level_in(runtime) > 0) {
    return false;
  }
  give_default_sizes(runtime, plan);
  return true;
}

int size_at_next_fork(int told) {
  const int owed = binding::t_thread.owed_size;
  return owed > 0 ? owed : told;
}

void program_chose_size() {
  binding::t_thread.chose_size = true;
  binding::t_thread.owed_size = 0;
  binding::t_thread.chose_at = own_place();
}

using binding::t_thread;

namespace {

// Whether all teams on the way to this place have one thread.
bool is_inactive(const Place& place) {
  const Place* outer = &place;
  while (outer != nullptr && outer->size == 1) {
    outer = outer->primary;
  }
  return outer == nullptr;
}

}  // namespace

void give_next_size(const Place& place, const omp::Calls& runtime) {
  t_thread.owed_size = 0;
  const int size = place.planned.next_size;
  if (size <= 0 || !options::settings().sizes) {
    return;
  }
  if (runtime.is_llvm && place.size == 1 && is_inactive(place)) {
    t_thread.owed_size = size;
  } else {
    runtime.set_num_threads(size);
  }
}

void give_owed_size(const omp::Calls& runtime, unsigned asked) {
  const bool is_of_clause = asked > 0 && static_cast<int>(asked) != runtime.get_max_threads();
  if (team::t_here.told != &runtime || is_of_clause) {
    return;
  }
  runtime.set_num_threads(t_thread.owed_size);
  t_thread.owed_size = 0;
  t_thread.was_paid = true;
}

// The runtime has no threads but one then, which it takes for that one, and larger sizes leave it.
void count_anew(const omp::Calls& runtime, int size) {
  t_thread.was_paid = false;
  if (size == 1) {
    const int next = runtime.get_max_threads();
    runtime.set_num_threads(1);
    runtime.set_num_threads(next);
  }
}

void owe_size_at(const Place* place) {
  const bool is_owed = place != nullptr && place->level > 0 && place->planned.next_size > 0 &&
                       t_thread.chose_at != place && team::t_here.told != nullptr &&
                       team::t_here.told->is_llvm && options::settings().sizes &&
                       is_inactive(*place);
  t_thread.owed_size = is_owed ? place->planned.next_size : 0;
}

}  // namespace nestbind::placement
