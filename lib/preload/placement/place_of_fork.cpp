// SPDX-License-Identifier: BSD-3-Clause
#include "placement/place_of_fork.hpp"

#include "observe/observer.hpp"
#include "omp/runtimes.hpp"
#include "owner/rank_part.hpp"
#include "owner/roots.hpp"
#include "placement/seen_places.hpp"
#include "places/plans.hpp"
#include "places/team_places.hpp"
#include "process/message.hpp"
#include "sizes/told_sizes.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

bool follows_rule(const Place* place, const RegionRule& rule) {
  const PlanInForce* plan = place == nullptr ? nullptr : place->plan;
  while (plan != nullptr && plan->rule == nullptr) {
    plan = plan->base;
  }
  return plan == nullptr || (!rule.is_for_every() && plan->rule != rule.first);
}

namespace {

// Returns the plan of a rule for the outermost team. The division changes if the process gets
// another mask, so the plan is searched for only once in a division.
PlanInForce* plan_of_rule(const RegionRule& rule) {
  const unsigned division = g_division.load(std::memory_order_acquire);
  if (rule.division.load(std::memory_order_acquire) == division) {
    return rule.plan.load(std::memory_order_relaxed);
  }
  PlanInForce* plan = plan_of(rule.text.spec, nullptr, 0, rule.first);
  if (plan == nullptr || make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  plan = for_present_mask(plan);
  rule.plan.store(plan, std::memory_order_relaxed);
  rule.division.store(division, std::memory_order_release);
  return plan;
}

// Outer levels that are not planned get one thread.
spec::Spec below(const spec::Spec& outer, int level, const spec::Spec& rule) {
  spec::Spec whole;
  for (; whole.levels < level && whole.levels < spec::kMaxLevels; ++whole.levels) {
    spec::Level& filled = whole.level[whole.levels];
    filled.size = 1;
    filled.strategy = spec::Strategy::kSubcompact;
    const int last = outer.is_auto ? outer.levels - 1 : whole.levels;
    const int there = whole.levels < outer.levels ? whole.levels : last;
    filled = there < outer.levels ? outer.level[there] : filled;
  }
  for (int i = 0; i < rule.levels && whole.levels < spec::kMaxLevels; ++i) {
    whole.level[whole.levels++] = rule.level[i];
  }
  whole.is_auto = rule.is_auto;
  return whole;
}

// Plans by the rule in the share of the place.
[[gnu::noinline]] const Place* place_by_new_rule(const Place* own, const RegionRule& rule) {
  PlanInForce* const base = original_of(own)->plan;
  PlanInForce* const plan =
      plan_of(below(base->spec, own->level, rule.text.spec), base, own->level, rule.first);
  return plan == nullptr || make_plan(plan) != NESTBIND_OK ? nullptr
                                                           : place_under(own, plan, own->is_loose);
}

const Place* place_by_rule(const Place* own, const RegionRule& rule) {
  if (original_of(own)->plan == nullptr) {
    return nullptr;
  }
  if (rule.text.spec.is_off()) {
    return &g_unmanaged;
  }
  const Place* const known = known_under(own, *rule.first);
  return known != nullptr ? known : place_by_new_rule(own, rule);
}

// A team that the specification binds makes its thread a root thread, also a team of one.
bool makes_root(const omp::Calls& runtime, unsigned asked) {
  const PlanInForce* const plan = plan_in_force();
  return asked > 1 || (asked == 0 && runtime.get_max_threads() > 1) ||
         (plan != nullptr && plan->spec.level[0].size == 1);
}

bool is_part_known(unsigned asked) {
  const Thread& thread = t_thread;
  return thread.share.of > 0 && keeps_part(thread) && (asked == 1 || thread.is_root);
}

void tell_if_specified(const omp::Calls& runtime) {
  if (g_in_force.load(std::memory_order_acquire) != nullptr) {
    tell_sizes(runtime);
  }
}

// Without a plan in force, only a region with a rule has a place.
[[gnu::noinline]] const Place* place_of_root_fork(const omp::Calls& runtime, const RegionRule* rule,
                                                  unsigned asked) {
  tell_if_specified(runtime);
  if (level_in(runtime) > 0) {  // in a region that nobody has reported
    if (rule != nullptr && plan_in_force() == nullptr && !rule->is_for_every()) {
      static constinit std::atomic<bool> told{false};
      process::warn_once(told,
                         "a region with a rule is not bound, because the team around it is not "
                         "bound; give that team a rule or a specification, too");
    }
    return plan_in_force() == nullptr ? nullptr : &g_unmanaged;
  }
  if (plan_in_force() == nullptr && rule == nullptr) {
    return nullptr;
  }
  if (!is_part_known(asked) && !take_part(makes_root(runtime, asked))) {
    PlanInForce* const plan = plan_in_force();  // the team is not bound
    return plan == nullptr                  ? nullptr
           : make_plan(plan) == NESTBIND_OK ? &for_present_mask(plan)->loose
                                            : &g_unmanaged;
  }
  tell_if_specified(runtime);  // the process may have got another mask
  if (rule != nullptr && rule->text.spec.is_off()) {
    return &g_unmanaged;
  }
  PlanInForce* const whole = rule != nullptr ? plan_of_rule(*rule) : plan_in_force();
  if (whole == nullptr) {
    return rule != nullptr ? &g_unmanaged : nullptr;
  }
  const int error = make_plan(whole);
  const Place* const place = error == NESTBIND_OK ? place_in_part(whole) : nullptr;
  if (error != NESTBIND_OK && error != NESTBIND_NOT_PLACED) {
    omp::give_levels_back(runtime, whole->spec.active_levels());
  }
  if (rule == nullptr) {
    t_thread.root_place = place;
  }
  part_is_used(t_thread);
  return place == nullptr ? &g_unmanaged : place;
}

}  // namespace

const Place* place_of_fork(const omp::Calls& runtime, const RegionRule* rule, unsigned asked) {
  const Place* const own = present_place();
  rule = rule != nullptr && follows_rule(own, *rule) ? rule : nullptr;
  if (own == nullptr) {
    return place_of_root_fork(runtime, rule, asked);
  }
  const Place* const ruled = rule == nullptr ? nullptr : place_by_rule(own, *rule);
  return ruled != nullptr ? ruled : own;
}

const Place* place_that_fits(const Place& place, int size) {
  if (size <= place.plan->fits) {
    return &place;
  }
  observe::tell_not_squeezed(size, place.plan->fits);
  const Place* const loose = place_under(&place, place.plan, true);
  return loose == nullptr ? &g_unmanaged : loose;
}

const Place* place_that_fits(const omp::Calls& runtime, const Place* place, unsigned asked) {
  if (!is_planned(place) || place->plan->fits == PlanInForce::kAnySize || runtime.is_llvm) {
    return place;
  }
  const int size = asked > 0 ? static_cast<int>(asked) : runtime.get_max_threads();
  // The runtime gives one thread to a team below the last active level.
  return size <= place->plan->fits || active_levels(runtime) >= runtime.get_max_active_levels()
             ? place
             : place_that_fits(*place, size);
}

const Place* place_outside() {
  PlanInForce* const plan = plan_in_force();
  if (plan == nullptr || make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  if (!root_threads_divide()) {
    return owner() != nullptr && !is_owner() ? nullptr : &for_present_mask(plan)->root;
  }
  if (!is_part_known(1) && !take_part(false)) {
    return nullptr;
  }
  PlanInForce* const present = plan_in_force();
  return present == nullptr || make_plan(present) != NESTBIND_OK ? nullptr : place_in_part(present);
}

}  // namespace nestbind::placement
