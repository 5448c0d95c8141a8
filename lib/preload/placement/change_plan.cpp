// SPDX-License-Identifier: BSD-3-Clause
#include "placement/change_plan.hpp"

#include "binding/thread.hpp"
#include "omp/runtimes.hpp"
#include "options/settings.hpp"
#include "owner/purpose.hpp"
#include "owner/rank_part.hpp"
#include "placement/placement_start.hpp"
#include "places/outside.hpp"
#include "places/plans.hpp"
#include "places/team_places.hpp"
#include "process/message.hpp"
#include "sizes/next_size.hpp"
#include "sizes/told_sizes.hpp"
#include "spec/spec.hpp"
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

constexpr spec::Spec kOff{};

void size_unplanned_team(const omp::Calls& runtime, int level) {
  t_thread.owed_size = 0;
  omp::install_usual_sizes(runtime, level);
}

bool has_open_size(const spec::Spec& spec, int level) {
  return level < spec.levels ? spec.level[level].is_star : spec.is_auto;
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
  const Place* const changed = place_under(place, plan);
  if (changed == nullptr) {
    return NESTBIND_NO_MEMORY;
  }
  team::Member& here = *team::t_here.member;
  here.place = changed;  // until the member's next region
  const omp::Calls& runtime = *here.team->runtime;
  if (spec.is_off() || has_open_size(spec, changed->level)) {
    size_unplanned_team(runtime, changed->level);
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
  if (plan->status.load(std::memory_order_relaxed) == PlanInForce::kNotMade) {
    follow_own_mask();
  }
  if (const int error = make_plan(plan); error != NESTBIND_OK) {
    return error;
  }
  put_in_force(for_present_mask(plan));
  specification_has_changed();
  return NESTBIND_OK;
}

int end_everywhere() {
  PlanInForce* plan = plan_of(kOff, nullptr, 0);
  if (plan == nullptr) {
    return NESTBIND_NO_MEMORY;
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
  leave_untracked(t_thread);
  if (own_place() != nullptr) {
    return change_here(spec);
  }
  const omp::Calls* region = untracked_region();
  if (spec.is_off()) {
    return region != nullptr ? NESTBIND_OK : end_everywhere();
  }
  return region != nullptr ? begin_here(spec, *region) : change_everywhere(spec);
}

std::size_t get_specification(char* buffer, std::size_t size) {
  start();
  leave_untracked(t_thread);
  const Place* place = own_place();
  const bool has_form = place != nullptr && original_of(place)->plan != nullptr;
  const spec::Spec* spec = !has_form                ? specification_in_force()
                           : place->plan == nullptr ? &kOff
                                                    : &place->plan->spec;
  if (spec != nullptr) {
    return spec::print(*spec, buffer, size);
  }
  if (size > 0) {
    buffer[0] = '\0';
  }
  return 0;
}

}  // namespace nestbind::placement
