// SPDX-License-Identifier: BSD-3-Clause
#include "placement/questions.hpp"

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "placement/leave.hpp"
#include "placement/plans.hpp"

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

}  // namespace nestbind::placement
