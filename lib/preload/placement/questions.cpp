// SPDX-License-Identifier: BSD-3-Clause
#include "placement/questions.hpp"

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "placement/outside.hpp"
#include "placement/placement_start.hpp"
#include "placement/plans.hpp"
#include "placement/plans_lock.hpp"
#include "placement/root_parts.hpp"

namespace nestbind::placement {

int get_place(nestbind_place* out) {
  if (out == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  leave_untracked(binding::t_thread);
  const Place* place = own_place();
  if (!is_planned(place)) {
    return NESTBIND_NOT_PLACED;
  }
  out->level = place->level;
  out->pinned = place->planned.pinned && binding::bound_mask().bits != nullptr ? 1 : 0;
  out->core = place->planned.core;
  out->package = place->planned.package;
  out->numa = place->planned.numa;
  out->numa_logical = place->planned.numa_logical;
  for (int i = 0; i < NESTBIND_MAX_LEVELS; ++i) {
    out->path[i] = 0;
  }
  for (; place->primary != nullptr; place = place->primary) {
    if (place->level > NESTBIND_MAX_LEVELS) {
      continue;
    }
    out->path[place->level - 1] = place->number;
  }
  return NESTBIND_OK;
}

int get_cpus(int* cpus, int capacity) {
  mask::MaskBuffer mask;
  if (PlanInForce* plan = plan_in_force(); plan != nullptr && binding::masks_are_recorded()) {
    make_plan(plan);
  }
  if (!binding::read_self(mask)) {
    return -1;
  }
  int count = 0;
  mask::each(mask.view(), [&](int cpu) {
    if (count < capacity) {
      cpus[count] = cpu;
    }
    ++count;
  });
  return count;
}

namespace {

PlanInForce* plan_of_caller() {
  leave_untracked(binding::t_thread);
  const Place* const place = own_place();
  if (is_planned(place)) {
    return place->plan;
  }
  PlanInForce* const plan = plan_in_force();
  return plan == nullptr || make_plan(plan) != NESTBIND_OK
             ? plan
             : plan_at_next_fork(for_present_mask(plan));
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
    error = asked.planner->at_slot(nullptr, asked.geometry, slot, &found);
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
  place->numa_logical = found.numa_logical;
  for (int i = 0; i < found.depth; ++i) {
    place->path[i] = found.path[i];
  }
  return NESTBIND_OK;
}

}  // namespace nestbind::placement
