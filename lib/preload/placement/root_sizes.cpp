// SPDX-License-Identifier: BSD-3-Clause
#include "placement/root_sizes.hpp"

#include "omp/runtime_sizes.hpp"
#include "omp/sources.hpp"
#include "options/table.hpp"
#include "placement/own_children.hpp"
#include "placement/plans.hpp"
#include "placement/purpose.hpp"
#include "process/quota.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

namespace {

// The record of a thread's sizes in a runtime, a new one if need be; null where there is no room.
binding::Sized* sized_in(Thread& thread, const omp::Calls& runtime) {
  for (binding::Sized& sized : thread.sized) {
    if (sized.runtime == &runtime || sized.runtime == nullptr) {
      sized.runtime = &runtime;
      return &sized;
    }
  }
  return nullptr;
}

// first: of the next team; 0: the thread's own stays. present: what the runtime has until now.
void give_sizes(const omp::Calls& runtime, const PlanInForce* plan, int first,
                const omp::Sizes& present) {
  omp::check_wanted(runtime);
  const bool sets = options::settings().sizes;
  const int levels = levels_to_set(plan->spec, present.levels);
  if (binding::Sized* sized = sized_in(t_thread, runtime)) {
    if (sized->threads == 0 || present.threads != sized->threads) {
      sized->threads_before = present.threads;
    }
    if (sized->levels == 0 || present.levels != sized->levels) {
      sized->levels_before = present.levels;
    }
    sized->plan = plan;
    sized->threads = sets ? first : 0;
    sized->levels = sets ? levels : 0;
  }
  omp::install_sizes(runtime, first, levels);
}

// Whether the outermost team may have a default size by "auto": only a quota sets one, and whoever
// has asked for another wins.
bool has_default(const spec::Spec& spec) {
  return spec.is_auto && options::settings().threads == nullptr &&
         options::variable(options::kThreads) == nullptr && process::quota() > 0;
}

int first_size(PlanInForce* plan) {
  const spec::Level& outermost = plan->spec.level[0];
  const bool is_planned = spec::is_symbolic(outermost) || has_default(plan->spec);
  return is_planned && make_plan(plan, Ranks::kEarlier) == NESTBIND_OK
             ? plan->root.planned.next_size
             : outermost.size;
}

// Whether the program has chosen the size of the thread's next team, by whatever way: it is neither
// what the runtime has begun with nor what it has been given.
bool has_chosen(Thread& thread, const omp::Calls& runtime, int threads) {
  const binding::Sized* sized = sized_in(thread, runtime);
  const bool was_given = sized != nullptr && sized->threads > 0 && threads == sized->threads;
  return !was_given && !omp::is_usual(threads);
}

// Whether a runtime that had been given sizes has lost them, and has read its variables once more,
// as it may in a child.
bool has_begun_anew(Thread& thread, const omp::Calls& runtime, int threads) {
  const binding::Sized* sized = sized_in(thread, runtime);
  return (sized == nullptr || threads != sized->threads) && threads == omp::usual_threads(0);
}

// The process has another mask: of the sizes that the thread has, only a word's may be another, and
// only smaller than the program may have been told.
void renew_sizes(Thread& thread, const PlanInForce* plan) {
  const int first = plan->root.planned.next_size;
  for (binding::Sized& sized : thread.sized) {
    if (sized.plan == nullptr || sized.plan == plan || !(sized.plan->spec == plan->spec)) {
      continue;
    }
    if (sized.threads > 0 && first > 0 && first < sized.plan->root.planned.next_size &&
        !thread.chose_size) {
      sized.runtime->set_num_threads(first);
      sized.threads = first;
    }
    sized.plan = plan;
  }
}

}  // namespace

void bring_sizes(const omp::Calls& runtime, PlanInForce* plan) {
  renew_sizes(t_thread, plan);
  if (!has_sizes(t_thread, runtime, plan)) {
    give_default_sizes(runtime, plan);
  }
}

void set_root_sizes(const omp::Calls& runtime, PlanInForce* plan, const omp::Sizes& present) {
  const bool may_have_chosen = has_default(plan->spec);
  if (spec::is_symbolic(plan->spec.level[0]) || may_have_chosen) {  // it has to be planned
    follow_own_mask();
    plan = for_present_mask(plan);
  }
  const bool is_own =
      may_have_chosen && (t_thread.chose_size || has_chosen(t_thread, runtime, present.threads));
  give_sizes(runtime, plan, is_own ? 0 : first_size(plan), present);
}

void give_default_sizes(const omp::Calls& runtime, PlanInForce* plan) {
  Thread& thread = t_thread;
  if (plan->spec.level[0].is_star) {
    give_sizes_back(runtime);
  }
  const omp::Sizes present = omp::sizes_of(runtime);
  const bool is_own = thread.chose_size || has_chosen(thread, runtime, present.threads);
  if (!is_own && has_begun_anew(thread, runtime, present.threads)) {
    let_own_threads_win();
  }
  give_sizes(runtime, plan, is_own ? 0 : first_size(plan), present);
}

void give_sizes_back(const omp::Calls& runtime) {
  for (binding::Sized& sized : t_thread.sized) {
    if (sized.runtime == &runtime && (sized.threads > 0 || sized.levels > 0)) {
      omp::give_sizes_back(runtime, {sized.threads, sized.levels},
                           {sized.threads_before, sized.levels_before});
      sized = {};
      sized.runtime = &runtime;
    }
  }
}

void forget_sizes_in_child() {
  for (binding::Sized& sized : t_thread.sized) {
    sized.plan = nullptr;
  }
}

}  // namespace nestbind::placement
