// SPDX-License-Identifier: BSD-3-Clause
#include "placement/team_sizes.hpp"

#include <unistd.h>

#include "binding/kernel_mask.hpp"
#include "interpose/module.hpp"
#include "omp/runtime_sizes.hpp"
#include "omp/runtimes.hpp"
#include "placement/outside.hpp"
#include "placement/own_children.hpp"
#include "placement/placement_start.hpp"
#include "placement/plans.hpp"
#include "placement/root_parts.hpp"
#include "placement/root_sizes.hpp"
#include "placement/ruled_places.hpp"
#include "placement/seen_places.hpp"
#include "process/traced.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

void runtime_starts() {
  start();
  if (binding::bound_mask().bits != nullptr) {
    binding::unbind_self();
    tell_no_slot();
  }
}

namespace {

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
  if (plan == nullptr || is_divided(plan->spec) || own_place() != nullptr || thread.chose_size ||
      has_sizes(thread, runtime, plan) || gettid() != getpid() || level_in(runtime) > 0) {
    return false;
  }
  give_default_sizes(runtime, plan);
  return true;
}

int size_at_next_fork(int told, const omp::Calls* runtime) {
  const int owed = binding::t_thread.owed_size;
  const omp::Calls* const asked = runtime != nullptr ? runtime : omp::started(0);
  return owed > 0 ? owed : asked == nullptr ? told : size_if_forked(*asked, told);
}

void put_sizes_back() {
  const support::ErrnoKept errno_kept;
  team::Team& team = *team::t_here.member->forked;
  if (!team.is_open) {
    put_back(team);
  }
}

bool sets_what_was_told(int threads) {
  const binding::Thread& thread = binding::t_thread;
  const PlanInForce* const plan = plan_in_force();
  return threads > 0 && threads == thread.answer.size && !thread.chose_size && plan != nullptr &&
         is_divided(plan->spec) && is_outside_regions();
}

void program_chose_size() {
  binding::t_thread.chose_size = true;
  binding::t_thread.owed_size = 0;
  binding::t_thread.chose_at = own_place();
}

}  // namespace nestbind::placement
