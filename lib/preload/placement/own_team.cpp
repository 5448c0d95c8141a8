// SPDX-License-Identifier: BSD-3-Clause
#include "placement/own_team.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "binding/kernel_mask.hpp"
#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "omp/runtime_affinity.hpp"
#include "omp/runtimes.hpp"
#include "placement/outside.hpp"
#include "placement/owner_word.hpp"
#include "placement/placement_start.hpp"
#include "placement/plans.hpp"
#include "placement/plans_lock.hpp"
#include "placement/root_parts.hpp"
#include "placement/team_places.hpp"
#include "process/original_mask.hpp"
#include "process/undisturbed.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

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

const Place* root_place() {
  PlanInForce* plan = plan_in_force();
  const uintptr_t owner_is = owner();
  if (plan == nullptr || (owner_is != 0 && owner_is != as_word(binding::t_thread)) ||
      make_plan(plan) != NESTBIND_OK) {
    return nullptr;
  }
  plan = plan_at_next_fork(for_present_mask(plan));
  return plan == nullptr || make_plan(plan) != NESTBIND_OK ? nullptr : &plan->root;
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
    place = root_place();
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
