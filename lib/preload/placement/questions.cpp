// SPDX-License-Identifier: BSD-3-Clause
#include "placement/questions.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "binding/kernel_mask.hpp"
#include "omp/runtime_affinity.hpp"
#include "omp/runtimes.hpp"
#include "owner/rank_part.hpp"
#include "placement/place_of_fork.hpp"
#include "placement/placement_start.hpp"
#include "places/plans.hpp"
#include "places/plans_lock.hpp"
#include "places/team_places.hpp"
#include "process/original_mask.hpp"
#include "process/undisturbed.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

namespace {

template <typename Planned>
void write(nestbind_place& out, const Planned& planned, int level, bool is_pinned) {
  out = {};
  out.level = level;
  out.pinned = is_pinned ? 1 : 0;
  out.core = planned.core;
  out.package = planned.package;
  out.numa = planned.numa;
  out.numa_logical = planned.numa_logical;
}

// The result may point to `room`.
const omp::Calls* find_runtime(omp::Calls& room) {
  const omp::Calls* const known =
      team::is_inside() ? team::t_here.member->team->runtime : omp::started(0);
  const auto find = [](const char* name) { return dlsym(RTLD_DEFAULT, name); };
  return known != nullptr ? known : omp::find_calls(room, find) ? &room : nullptr;
}

// The runtime may have bound the initial thread before this library was loaded. Then the original
// mask is too small, so this function adds the runtime's places.
mask::CpuMask with_places(const omp::Calls* runtime, mask::MaskBuffer& buffer) {
  const mask::CpuMask learnt = process::original_mask();
  if (runtime == nullptr || learnt.bits == nullptr) {
    return learnt;
  }
  buffer = {};
  memcpy(buffer.bits, learnt.bits, learnt.bytes);
  omp::add_places(*runtime, buffer);
  return buffer.view();
}

void find_planned(const Place& place, const omp::Calls* runtime, OwnTeam& own) {
  own.partition = partition_of(place);
  const bool is_present = place.primary != nullptr && place.size > 1;
  const int specified = place.planned.next_size > 0 ? place.planned.next_size : 1;
  own.size = is_present ? place.size : runtime != nullptr ? runtime->get_max_threads() : specified;
  const Place* parent = is_present ? place.primary : &place;
  if (own.size <= 1 || !is_planned(parent)) {
    return;
  }
  const auto count = static_cast<std::size_t>(own.size);
  auto* planned = support::allocate<PlannedPlace>(count);
  own.places = planned == nullptr || !plan_members(*parent, own.size, planned)
                   ? nullptr
                   : support::allocate<mask::CpuMask>(count);
  for (std::size_t i = 0; own.places != nullptr && i < count; ++i) {
    own.places[i] = planned[i].mask;
  }
  free(planned);
}

}  // namespace

int get_place(nestbind_place* out) {
  if (out == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  const Place* place = present_place();
  if (!is_planned(place)) {
    return NESTBIND_NOT_PLACED;
  }
  const bool is_pinned = place->planned.pinned && binding::bound_mask().bits != nullptr;
  write(*out, place->planned, place->level, is_pinned);
  for (; place->primary != nullptr; place = place->primary) {
    if (place->level <= NESTBIND_MAX_LEVELS) {
      out->path[place->level - 1] = place->number;
    }
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

Asked ask_geometry() {
  start();
  Asked asked{};
  asked.plan = plan_in_force();
  if (const Place* const place = present_place(); is_planned(place)) {
    asked.plan = place->plan;
  } else if (asked.plan != nullptr) {
    const Place* const next = place_outside();
    asked.plan = next == nullptr ? asked.plan : next->plan;
  }
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
  const Place* const place = present_place();
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
  write(*place, found, found.depth, found.has_thread);
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

mask::CpuMask process_partition(mask::MaskBuffer& buffer) {
  start();
  omp::Calls room{};
  return with_places(find_runtime(room), buffer);
}

OwnTeam own_team(mask::MaskBuffer& buffer) {
  start();
  const process::Undisturbed undisturbed;
  OwnTeam own;
  omp::Calls room{};
  const omp::Calls* const runtime = find_runtime(room);
  own.partition = with_places(runtime, buffer);
  const Place* place = present_place();
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
