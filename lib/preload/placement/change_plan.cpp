// SPDX-License-Identifier: BSD-3-Clause
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "owner/purpose.hpp"
#include "owner/rank_part.hpp"
#include "placement/placement_start.hpp"
#include "placement/questions.hpp"
#include "places/plans.hpp"
#include "places/team_places.hpp"
#include "process/message.hpp"
#include "sizes/fork_sizes.hpp"
#include "sizes/told_sizes.hpp"
#include "team/tree.hpp"

namespace nestbind::placement {

using binding::t_thread;

namespace {

// Returns the runtime of the region around the calling thread, or null.
const omp::Calls* untracked_region() {
  if (team::is_inside()) {
    return team::t_here.member->team->runtime;
  }
  for (int i = 0; const omp::Calls* runtime = omp::started(i); ++i) {
    if (level_in(*runtime) > 0) {
      return runtime;
    }
  }
  return nullptr;
}

void size_next_team(const omp::Calls& runtime, const Place& place, const spec::Spec& spec) {
  const int levels = spec::levels_to_set(spec, runtime.get_max_active_levels());
  if (options::settings().sizes) {
    omp::install_sizes(runtime, 0, levels > place.level || levels == 0 ? levels : place.level);
  }
  give_next_size(place, runtime);
}

int made(const spec::Spec& spec, PlanInForce* base, int level, PlanInForce*& plan) {
  plan = plan_of(spec, base, level);
  return plan == nullptr ? NESTBIND_NO_MEMORY : make_plan(plan);
}

int change_here(const spec::Spec& spec) {
  const Place* place = own_place();
  // The outer levels keep their first plan.
  PlanInForce* base = original_of(place)->plan;
  if (base == nullptr || place->is_loose) {
    return spec.is_off() ? NESTBIND_OK : NESTBIND_NOT_PLACED;
  }
  PlanInForce* plan = nullptr;
  if (const int error = spec.is_off() ? NESTBIND_OK : made(spec, base, place->level, plan);
      error != NESTBIND_OK) {
    return error;
  }
  const Place* const changed = place_under(place, plan, false);
  if (changed == nullptr) {
    return NESTBIND_NO_MEMORY;
  }
  team::Member& here = *team::t_here.member;
  here.place = changed;  // until the member's next region
  const omp::Calls& runtime = *here.team->runtime;
  const int level = changed->level;
  const bool is_open = level < spec.levels ? spec.level[level].is_star : spec.is_auto;
  if (spec.is_off() || is_open) {
    t_thread.owed_size = 0;
    omp::install_usual_sizes(runtime, level);
  }
  if (!spec.is_off()) {
    size_next_team(runtime, *changed, spec);
  }
  return NESTBIND_OK;
}

// Finds the place by thread numbers.
int begin_here(const spec::Spec& spec, const omp::Calls& runtime) {
  PlanInForce* plan = nullptr;
  if (const int error = made(spec, nullptr, 0, plan); error != NESTBIND_OK) {
    return error;
  }
  const Place* place = place_by_ancestors(&plan->root, runtime, runtime.get_level());
  if (place == nullptr) {
    return NESTBIND_NOT_PLACED;
  }
  team::Member* const here = team::is_inside()
                                 ? team::t_here.member
                                 : team::beside(team::here(), team::Team::Kind::kUnseen);
  if (here == nullptr) {
    return NESTBIND_NO_MEMORY;
  }
  here->team->runtime = &runtime;
  here->place = place;
  team::t_here.member = here;
  t_thread.untracked_in = &runtime;
  size_next_team(runtime, *place, spec);
  return NESTBIND_OK;
}

int change_everywhere(const spec::Spec& spec) {
  PlanInForce* plan = plan_of(spec, nullptr, 0);
  if (plan == nullptr) {
    return NESTBIND_NO_MEMORY;
  }
  if (!spec.is_off()) {
    if (plan->status.load(std::memory_order_relaxed) == PlanInForce::kNotMade) {
      follow_own_mask();
    }
    if (const int error = make_plan(plan); error != NESTBIND_OK) {
      return error;
    }
    plan = for_present_mask(plan);
  }
  put_in_force(plan);
  specification_has_changed();
  return NESTBIND_OK;
}

int begin() {
  if (is_late()) {
    return NESTBIND_TOO_LATE;
  }
  if (options::is_off(options::kEverythingOff)) {
    return NESTBIND_TURNED_OFF;
  }
  return arm() ? NESTBIND_OK : NESTBIND_TOO_LATE;
}

}  // namespace

int set_specification(const char* text, std::size_t length) {
  start();
  if (text == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse({text, length}, spec, fault)) {
    char message[1024];
    spec::describe({text, length}, fault, message, sizeof message);
    process::say(process::Severity::kError, "omp_set_nesting_info: %s", message);
    return fault.error;
  }
  if (const int error = spec.is_off() ? NESTBIND_OK : begin(); error != NESTBIND_OK) {
    return error;
  }
  if (present_place() != nullptr) {
    return change_here(spec);
  }
  const omp::Calls* region = untracked_region();
  return region == nullptr ? change_everywhere(spec)
         : spec.is_off()   ? NESTBIND_OK
                           : begin_here(spec, *region);
}

std::size_t get_specification(char* buffer, std::size_t size) {
  start();
  const Place* place = present_place();
  const bool has_form = place != nullptr && original_of(place)->plan != nullptr;
  const PlanInForce* const plan =
      has_form ? place->plan : g_in_force.load(std::memory_order_acquire);
  if (plan != nullptr || has_form) {
    return spec::print(plan == nullptr ? spec::Spec{} : plan->spec, buffer, size);
  }
  if (size > 0) {
    buffer[0] = '\0';
  }
  return 0;
}

}  // namespace nestbind::placement
