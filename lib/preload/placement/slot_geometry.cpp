// SPDX-License-Identifier: BSD-3-Clause
#include "placement/slot_geometry.hpp"

#include "binding/thread.hpp"
#include "placement/leave.hpp"
#include "placement/placement_start.hpp"
#include "placement/plans.hpp"
#include "placement/plans_lock.hpp"

namespace nestbind::placement {

namespace {

// The plan that the calling thread is in, or that its next fork follows; null: none.
PlanInForce* plan_of_caller() {
  leave_untracked(binding::t_thread);
  const Place* const place = own_place();
  if (is_planned(place)) {
    return place->plan;
  }
  PlanInForce* const plan = plan_in_force();
  return plan == nullptr || make_plan(plan) != NESTBIND_OK ? plan : for_present_mask(plan);
}

}  // namespace

Asked ask_geometry() {
  start();
  Asked asked{};
  asked.plan = plan_of_caller();
  asked.error = asked.plan == nullptr ? NESTBIND_OK : make_plan(asked.plan);
  if (asked.plan == nullptr) {
    prepare_for_questions();
  }
  if (asked.error == NESTBIND_OK) {
    asked.error = find_geometry(asked.plan, asked.geometry);
  }
  asked.planner = asked.error == NESTBIND_OK ? &planner() : nullptr;
  return asked;
}

int nodes_of_slots(const Asked& asked, int* node, int count) {
  const PlansLocked locked;
  int error = locked ? int{NESTBIND_OK} : int{NESTBIND_NO_MEMORY};
  for (int slot = 0; slot < count && error == NESTBIND_OK; ++slot) {
    PlannedSlot found{};
    error = asked.planner->at_slot(nullptr, asked.geometry, slot, &found);  // who is there: nobody
    node[slot] = found.numa;
  }
  return error;
}

int get_slot() {
  leave_untracked(binding::t_thread);
  const Place* const place = own_place();
  return is_planned(place) && place->planned.pinned ? place->planned.slot : -1;
}

int slot_of_path(const int* path, int level) {
  if (level < 0 || level > NESTBIND_MAX_LEVELS || (path == nullptr && level > 0)) {
    return -1;
  }
  const Asked asked = ask_geometry();
  if (asked.plan == nullptr || asked.error != NESTBIND_OK) {
    return -1;
  }
  const PlansLocked locked;
  return locked ? asked.planner->slot_of_path(asked.plan->handle, path, level) : -1;
}

int place_of_slot(int slot, nestbind_place* place) {
  if (place == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  const Asked asked = ask_geometry();
  if (asked.error != NESTBIND_OK) {
    return asked.error;
  }
  PlannedSlot found{};
  {
    const PlansLocked locked;
    PlanHandle* const handle = asked.plan == nullptr ? nullptr : asked.plan->handle;
    const int error = locked ? asked.planner->at_slot(handle, asked.geometry, slot, &found)
                             : int{NESTBIND_NO_MEMORY};
    if (error != NESTBIND_OK) {
      return error;
    }
  }
  *place = {};
  place->level = found.depth;
  place->pinned = found.has_thread ? 1 : 0;
  place->core = found.core;
  place->package = found.package;
  place->numa = found.numa;
  for (int i = 0; i < found.depth; ++i) {
    place->path[i] = found.path[i];
  }
  return NESTBIND_OK;
}

}  // namespace nestbind::placement
