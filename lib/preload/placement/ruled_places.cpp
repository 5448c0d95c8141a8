// SPDX-License-Identifier: BSD-3-Clause
#include "placement/ruled_places.hpp"

#include <unistd.h>

#include "binding/thread.hpp"
#include "options/settings.hpp"
#include "placement/outside.hpp"
#include "placement/owner.hpp"
#include "placement/plans.hpp"
#include "placement/seen_places.hpp"
#include "placement/team_places.hpp"
#include "placement/team_sizes.hpp"
#include "process/message.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

using binding::t_thread;

bool follows_rule(const Place* place, const RegionRule& rule) {
  const PlanInForce* plan = place == nullptr ? nullptr : place->plan;
  while (plan != nullptr && plan->rule == nullptr) {
    plan = plan->base;
  }
  return plan == nullptr || (!rule.is_for_every() && plan->rule != rule.alike);
}

namespace {

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

void tell_unbound() {
  static constinit std::atomic<bool> told{false};
  if (!told.exchange(true, std::memory_order_relaxed)) {
    process::say(process::Severity::kWarning,
                 "a region with a rule is not bound, because the team around it is not bound; give "
                 "that team a rule or a specification, too");
  }
}

const Place* ruled_root(const omp::Calls& runtime, const RegionRule& rule) {
  if (!rule.is_for_every() && plan_in_force() == nullptr && level_in(runtime) > 0) {
    tell_unbound();
  }
  const bool may_fork =
      plan_in_force() != nullptr ? is_planned(root_fork(runtime)) : forks_as_owner(runtime);
  if (!may_fork) {
    return nullptr;
  }
  if (rule.text.spec.is_off()) {
    return &g_ruled_off;
  }
  PlanInForce* const plan = plan_of(rule.text.spec, nullptr, 0, rule.alike);
  return plan == nullptr || make_plan(plan) != NESTBIND_OK ? nullptr
                                                           : &for_present_mask(plan)->root;
}

}  // namespace

const Place* ruled_place(const omp::Calls& runtime, const RegionRule& rule) {
  leave_untracked(t_thread);
  const Place* const own = own_place();
  if (own == nullptr) {
    return ruled_root(runtime, rule);
  }
  PlanInForce* const base = original_of(own)->plan;
  if (base == nullptr) {
    return nullptr;
  }
  if (rule.text.spec.is_off()) {
    return &g_ruled_off;
  }
  PlanInForce* const plan =
      plan_of(below(base->spec, own->level, rule.text.spec), base, own->level, rule.alike);
  return plan == nullptr || make_plan(plan) != NESTBIND_OK ? nullptr : place_under(own, plan);
}

namespace {

[[gnu::noinline]] void tell_cut(int wanted, int most) {
  static constinit std::atomic<bool> told{false};
  if (!told.exchange(true, std::memory_order_relaxed)) {
    process::say(process::Severity::kWarning,
                 "a rule asks for %d threads, but gets %d: the program may have allocated memory "
                 "by omp_get_max_threads(); set a larger OMP_NUM_THREADS",
                 wanted, most);
  }
}

// False for GCC's runtime if POMP reports the forks.
bool can_size(const omp::Calls& runtime) { return runtime.tells_functions || runtime.is_llvm; }

// LLVM's runtime releases workers if a root thread outside of active regions sets a smaller size.
// The inner teams of these workers still belong to this root thread. If the root thread has ended,
// omp_set_num_threads crashes in these teams. The initial thread lives as long as the process.
bool may_let_workers_go(const omp::Calls& runtime, const Place& place) {
  return runtime.is_llvm && !place.is_active && gettid() != getpid();
}

}  // namespace

unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked) {
  const int wanted = place.planned.next_size;
  if (wanted <= 0 || !options::settings().sizes || !can_size(runtime) ||
      (runtime.tells_functions && asked > 0)) {
    return 0;
  }
  const int most = runtime.get_max_threads();
  if (asked > 0 && static_cast<int>(asked) != most) {
    return 0;
  }
  if (wanted > most) {
    tell_cut(wanted, most);
  }
  if (wanted >= most) {
    return static_cast<unsigned>(most);
  }
  return may_let_workers_go(runtime, place) ? 0 : static_cast<unsigned>(wanted);
}

bool sets_levels_inside(const team::Team& team) {
  const unsigned size = team.sized > 0 ? team.sized : team.ruled.asked;
  return size == 1 && !team.runtime->tells_functions && is_planned(team.ruled.place) &&
         team.ruled.place->plan->rule_levels > 0;
}

int set_levels(const team::Team& team) {
  const Place* const place = team.ruled.place;
  const int levels = is_planned(place) ? place->plan->rule_levels : 0;
  if (levels == 0 || !options::settings().sizes || !can_size(*team.runtime)) {
    return 0;
  }
  const int present = team.runtime->get_max_active_levels();
  if (present >= levels) {
    return 0;
  }
  team.runtime->set_max_active_levels(levels);
  return present;
}

void begin_ruled(team::Team& team) {
  const omp::Calls& runtime = *team.runtime;
  team::Ruled& ruled = team.ruled;
  if (!runtime.tells_functions && team.sized > 0 && team.sized != ruled.asked) {
    runtime.set_num_threads(static_cast<int>(team.sized));
    ruled.threads_before = static_cast<int>(ruled.asked);
  }
  const bool is_inside = sets_levels_inside(team);
  ruled.levels_before = is_inside ? 0 : set_levels(team);
  const bool is_set = ruled.threads_before > 0 || ruled.levels_before > 0;
  team.puts_back = ruled.lost_place || is_set || is_inside;
  auto* const tell = g_when_size_is_set.load();
  if (is_set && tell != nullptr) {
    tell(runtime);
  }
}

void put_back(team::Team& team) {
  team::Ruled& ruled = team.ruled;
  if (ruled.threads_before > 0) {
    team.runtime->set_num_threads(ruled.threads_before);
  }
  if (ruled.levels_before > 0) {
    team.runtime->set_max_active_levels(ruled.levels_before);
  }
  ruled.threads_before = 0;
  ruled.levels_before = 0;
  team.puts_back = false;
}

void end_ruled(const team::Member& member, team::Team& joined) {
  const Place* const place = joined.from->place;
  team::Ruled& ruled = joined.ruled;
  if (ruled.lost_place && is_planned(place) && t_thread.bound.bits == nullptr) {
    bind_to(*place);
  }
  ruled.lost_place = false;
  if (joined.runtime->tells_functions) {
    put_back(joined);
  } else if (ruled.threads_before > 0 && member.team != nullptr && member.team->size == 1) {
    // At the end of a region of one thread, LLVM's runtime forgets all settings of the region.
    t_thread.owed_size = ruled.threads_before;
    ruled.threads_before = 0;
  }
}

}  // namespace nestbind::placement
