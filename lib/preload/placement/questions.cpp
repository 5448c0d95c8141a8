// SPDX-License-Identifier: BSD-3-Clause
#include "placement/questions.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "omp/runtime_affinity.hpp"
#include "omp/runtimes.hpp"
#include "owner/rank_part.hpp"
#include "placement/place_of_fork.hpp"
#include "placement/placement_start.hpp"
#include "places/outside.hpp"
#include "places/plans.hpp"
#include "places/plans_lock.hpp"
#include "places/team_places.hpp"
#include "process/original_mask.hpp"
#include "process/undisturbed.hpp"
#include "support/allocate.hpp"

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
  const Place* const next = plan == nullptr ? nullptr : place_outside();
  return next == nullptr ? plan : next->plan;
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

int devices_near(int kind, int slot, nestbind_device* devices, int capacity) {
  const Asked asked = ask_geometry();
  if (asked.error != NESTBIND_OK) {
    return -1;
  }
  const int own = slot == -1 ? get_slot() : slot;
  if (own < 0 && slot != -1) {
    return -1;
  }
  mask::MaskBuffer buffer;
  const bool is_dry = options::settings().machine != nullptr;
  const mask::CpuMask cpus =
      own >= 0 || is_dry ? mask::CpuMask{0, nullptr} : process_partition(buffer);
  const PlannerOptions options = planner_options(process::original_mask());
  return asked.planner->devices(&options, kind, cpus, own < 0 ? nullptr : asked.geometry, own,
                                devices, capacity);
}

namespace {

bool find_runtime(omp::Calls& calls) {
  if (const omp::Calls* known =
          team::is_inside() ? team::t_here.member->team->runtime : omp::started(0)) {
    calls = *known;
    return true;
  }
  return omp::find_calls(calls, [](const char* name) { return dlsym(RTLD_DEFAULT, name); });
}

// The runtime may have bound the initial thread before this library was loaded. Then the original
// mask is too small, so this function adds the runtime's places.
mask::CpuMask with_places(const omp::Calls* runtime, mask::MaskBuffer& buffer) {
  const mask::CpuMask learnt = process::original_mask();
  const omp::AffinityCalls places =
      runtime == nullptr ? omp::AffinityCalls{} : omp::affinity_calls(*runtime);
  if (places.get_num_places == nullptr || learnt.bits == nullptr) {
    return learnt;
  }
  buffer = {};
  memcpy(buffer.bits, learnt.bits, learnt.bytes);
  for (int place = places.get_num_places() - 1; place >= 0; --place) {
    const int count = places.get_place_num_procs(place);
    int* const processors = support::allocate<int>(static_cast<std::size_t>(count));
    if (processors != nullptr) {
      places.get_place_proc_ids(place, processors);
      std::for_each_n(processors, count, [&](int one) { mask::add(buffer.bits, one); });
      free(processors);
    }
  }
  return buffer.view();
}

mask::CpuMask partition_of(const Place& place) {
  PlannerStep path[NESTBIND_MAX_LEVELS];
  const Place* at = &place;
  while (at->level > NESTBIND_MAX_LEVELS) {
    at = at->primary;
  }
  const int depth = at->level;
  for (; at->primary != nullptr; at = at->primary) {
    path[at->level - 1] = {at->number, at->size};
  }
  const PlansLocked locked;
  return locked ? planner().partition(place.plan->handle, path, depth) : mask::CpuMask{};
}

void take_places(const Place& parent, OwnTeam& own) {
  const auto count = static_cast<std::size_t>(own.size);
  auto* planned = support::allocate<PlannedPlace>(count);
  own.places = planned == nullptr || !plan_members(parent, own.size, planned)
                   ? nullptr
                   : support::allocate<mask::CpuMask>(count);
  for (std::size_t i = 0; own.places != nullptr && i < count; ++i) {
    own.places[i] = planned[i].mask;
  }
  free(planned);
}

void find_planned(const Place& place, const omp::Calls* runtime, OwnTeam& own) {
  own.partition = partition_of(place);
  const bool is_present = place.primary != nullptr && place.size > 1;
  const int specified = place.planned.next_size > 0 ? place.planned.next_size : 1;
  own.size = is_present ? place.size : runtime != nullptr ? runtime->get_max_threads() : specified;
  const Place* parent = is_present ? place.primary : &place;
  if (own.size > 1 && is_planned(parent)) {
    take_places(*parent, own);
  }
}

}  // namespace

mask::CpuMask process_partition(mask::MaskBuffer& buffer) {
  start();
  omp::Calls calls{};
  return with_places(find_runtime(calls) ? &calls : nullptr, buffer);
}

OwnTeam own_team(mask::MaskBuffer& buffer) {
  start();
  const process::Undisturbed undisturbed;
  leave_untracked(binding::t_thread);
  OwnTeam own;
  omp::Calls calls{};
  const omp::Calls* runtime = find_runtime(calls) ? &calls : nullptr;
  own.partition = with_places(runtime, buffer);
  const Place* place = own_place();
  const bool is_inside = runtime != nullptr && level_in(*runtime) > 0;
  if (place == nullptr && !is_inside) {
    place = place_outside();
  }
  if (is_planned(place) && !binding::masks_are_recorded()) {
    find_planned(*place, runtime, own);
  } else if (runtime != nullptr) {
    const int present = runtime->get_num_threads();
    own.size = is_inside && present > 1 ? present : runtime->get_max_threads();
  }
  own.size = own.size > 0 ? own.size : 1;
  return own;
}

}  // namespace nestbind::placement
