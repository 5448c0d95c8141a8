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

binding::Sized* sized_in(Thread& thread, const omp::Calls& runtime) {
  for (binding::Sized& sized : thread.sized) {
    if (sized.runtime == &runtime || sized.runtime == nullptr) {
      sized.runtime = &runtime;
      return &sized;
    }
  }
  return nullptr;
}

// `first` is the next team's size, or 0 for no change.
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

bool has_default(const PlanInForce& plan) {
  const bool is_set =
      options::settings().threads != nullptr || options::variable(options::kThreads) != nullptr;
  const bool is_limited = plan.part.bits != nullptr || (plan.spec.is_auto && process::quota() > 0);
  return plan.spec.level[0].is_star && is_limited && !is_set;
}

// The plan must already be made.
int size_of_star(PlanInForce* plan) {
  const PlannerGeometry* geometry = nullptr;
  if (plan->part.bits == nullptr || find_geometry(plan, geometry) != NESTBIND_OK) {
    return plan->root.planned.next_size;
  }
  const int slots = planner().slots(geometry);
  return plan->quota > 0 && plan->quota < slots ? plan->quota : slots;
}

// Returns the size of the next team, or 0 to keep `present`. A planned size never exceeds the
// smallest size that nestbind has reported.
int first_size(PlanInForce* plan, int present) {
  const spec::Level& level = plan->spec.level[0];
  const bool is_planned = spec::is_symbolic(level) || has_default(*plan);
  if (level.size != 0 || (is_planned && make_plan(plan, Ranks::kEarlier) != NESTBIND_OK)) {
    return level.size;
  }
  const int next = !is_planned     ? present
                   : level.is_star ? size_of_star(plan)
                                   : plan->root.planned.next_size;
  const int most = t_thread.most;
  const int size = most > 0 && next > most ? most : next;
  return level.is_star && size == present ? 0 : size;
}

bool has_chosen(Thread& thread, const omp::Calls& runtime, int threads) {
  const binding::Sized* sized = sized_in(thread, runtime);
  const bool was_given = sized != nullptr && sized->threads > 0 && threads == sized->threads;
  return !was_given && !omp::is_usual(threads);
}

// True if the runtime has its initial sizes again, for example in a forked child.
bool has_begun_anew(Thread& thread, const omp::Calls& runtime, int threads) {
  const binding::Sized* sized = sized_in(thread, runtime);
  return (sized == nullptr || threads != sized->threads) && threads == omp::usual_threads(0);
}

// The program may have allocated memory for the old size. So a size may only grow if root threads
// divide the machine.
void renew_sizes(Thread& thread, PlanInForce* plan) {
  if (plan->spec.level[0].is_star && is_divided(plan->spec)) {
    return;
  }
  const int first = first_size(plan, 0);
  for (binding::Sized& sized : thread.sized) {
    if (sized.plan == nullptr || sized.plan == plan || !(sized.plan->spec == plan->spec)) {
      continue;
    }
    const bool is_other = is_divided(plan->spec) ? first != sized.threads
                                                 : first < sized.plan->root.planned.next_size;
    if (sized.threads > 0 && first > 0 && is_other && !thread.chose_size) {
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
  const bool may_have_chosen = has_default(*plan);
  if (spec::is_symbolic(plan->spec.level[0]) || may_have_chosen) {  // the size comes from a plan
    follow_own_mask();
    plan = for_present_mask(plan);
  }
  const bool is_own =
      may_have_chosen && (t_thread.chose_size || has_chosen(t_thread, runtime, present.threads));
  give_sizes(runtime, plan, is_own ? 0 : first_size(plan, present.threads), present);
}

void give_default_sizes(const omp::Calls& runtime, PlanInForce* plan) {
  Thread& thread = t_thread;
  if (plan->spec.level[0].is_star && !thread.chose_size) {
    give_sizes_back(runtime);
  }
  const omp::Sizes present = omp::sizes_of(runtime);
  const bool is_own = thread.chose_size || has_chosen(thread, runtime, present.threads);
  if (!is_own && has_begun_anew(thread, runtime, present.threads)) {
    let_own_threads_win();
  }
  give_sizes(runtime, plan, is_own ? 0 : first_size(plan, present.threads), present);
}

int default_size(const omp::Calls& runtime, PlanInForce* plan, int told) {
  Thread& thread = t_thread;
  const bool is_own =
      !options::settings().sizes || thread.chose_size || has_chosen(thread, runtime, told);
  const binding::Sized* sized = sized_in(thread, runtime);
  const bool is_ours = plan->spec.level[0].is_star && sized != nullptr && sized->threads > 0 &&
                       sized->threads == told;
  const int own = is_ours ? sized->threads_before : told;
  const int first = is_own ? 0 : first_size(plan, own);
  return is_own ? told : first == 0 ? own : first;
}

int size_before(const omp::Calls& runtime, int size) {
  const binding::Sized* const sized = sized_in(t_thread, runtime);
  const bool is_ours = sized != nullptr && sized->threads > 0 && sized->threads == size;
  return is_ours && sized->threads_before > size ? sized->threads_before : size;
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
