// SPDX-License-Identifier: BSD-3-Clause
#include "places/team_places.hpp"

#include <stdlib.h>
#include <string.h>

#include <utility>

#include "places/plans.hpp"
#include "process/original_mask.hpp"
#include "process/traced.hpp"
#include "support/allocate.hpp"
#include "team/recycled.hpp"

namespace nestbind::placement {

constinit const Place g_unmanaged{};

namespace {

// A path has at most NESTBIND_MAX_LEVELS levels. A deeper place gets the path of its ancestor.
int path_of(const Place* place, PlannerStep (&path)[NESTBIND_MAX_LEVELS]) {
  while (place->level > NESTBIND_MAX_LEVELS) {
    place = place->primary;
  }
  const int depth = place->level;
  for (; place->primary != nullptr; place = place->primary) {
    path[place->level - 1] = {place->number, place->size};
  }
  return depth;
}

// Memory of teams that are planned for one fork alone. A thread may still read the place of its
// last region after the team has got other places, so the memory stays readable.
constinit team::Recycled<Planned> g_planned;
constinit team::Recycled<Place> g_places;

Place* make_places(std::size_t count, bool is_kept) {
  if (!is_kept) {
    return g_places.take(count);
  }
  g_bytes_of_places.fetch_add(static_cast<long>(count * sizeof(Place)), std::memory_order_relaxed);
  return support::allocate<Place>(count);
}

// True if two threads that the specification pins have one slot.
bool share_slots(const PlannedPlace* planned, int size) {
  for (int i = 1; i < size; ++i) {
    for (int before = 0; planned[i].pinned && before < i; ++before) {
      if (planned[i].slot == planned[before].slot) {
        return true;
      }
    }
  }
  return false;
}

// Root threads and processes that divide the machine have the team sizes of the undivided plan. A
// team that has slots for all threads only in the undivided plan runs anywhere in the part.
void keep_to_whole(const Place& place, const PlannerStep* path, int depth, int size,
                   PlannedPlace* planned, PlannerMessage& message) {
  const PlanInForce& plan = *place.plan;
  auto* const whole = support::allocate<PlannedPlace>(static_cast<std::size_t>(size));
  PlannerMessage of_whole{};
  if (whole == nullptr ||
      planner().team(plan.whole->handle, path, depth, size, whole, of_whole) != NESTBIND_OK) {
    free(whole);
    return;
  }
  const bool is_squeezed = share_slots(planned, size) && !share_slots(whole, size);
  for (int i = 0; i < size; ++i) {
    planned[i].next_size = whole[i].next_size;
    if (is_squeezed && i > 0) {
      planned[i].mask = planner().everything(plan.handle);
      planned[i].pinned = false;
    }
  }
  if (is_squeezed) {
    message.text[0] = '\0';
  }
  free(whole);
}

// Called under the lock. The primary thread keeps its slot, even if a changed plan gives this
// thread another slot.
bool plan_members(const Place& place, int size, PlannedPlace* planned, PlannerMessage& message) {
  PlannerStep path[NESTBIND_MAX_LEVELS];
  const int depth = path_of(&place, path);
  if (planner().team(place.plan->handle, path, depth, size, planned, message) != NESTBIND_OK) {
    return false;
  }
  if (place.plan->whole != nullptr) {
    keep_to_whole(place, path, depth, size, planned, message);
  }
  if (place.original != nullptr || place.level > NESTBIND_MAX_LEVELS) {
    planned[0].mask = place.planned.mask;
  }
  return true;
}

// Called under the lock. If there is no memory, the other objects are not freed.
Planned* new_team(const Place& place, int size, bool is_kept) {
  const auto count = static_cast<std::size_t>(size);
  PlannedPlace* const planned = support::allocate<PlannedPlace>(count);
  PlannerMessage message{};
  const bool is_made = planned != nullptr && plan_members(place, size, planned, message);
  Planned* team = !is_made ? nullptr : is_kept ? support::allocate<Planned>() : g_planned.take(1);
  Place* const members = team == nullptr ? nullptr : make_places(count, is_kept);
  if (members == nullptr) {
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): `team` stays, see above
    free(planned);
    return nullptr;
  }
  if (message.text[0] != '\0' &&
      !place.is_loose) {  // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): stays until printed
    team->warning.store(strdup(message.text), std::memory_order_relaxed);
  }
  team->parent = place.id;
  team->size = size;
  team->members = members;
  for (int i = 0; i < size; ++i) {
    Place& member = members[i];
    member.primary = &place;
    member.number = i;
    member.size = size;
    member.level = place.level + 1;
    member.is_active = size > 1 || place.is_active;
    member.is_kept = is_kept;
    write_plan(member, place.plan, place.is_loose, planned[i]);
    if (!place.is_loose) {
      const mask::CpuMask& mask = member.planned.mask;
      const bool stays = i == 0 && mask.bits == place.planned.mask.bits;
      member.slot_id = stays ? place.slot_id : slot_id_of(place.slot_id, i, mask);
    }
  }
  free(planned);
  return team;
}

const Planned* kept_team(const Place& place, int size) {
  return find_or_make<&Planned::next>(
      place.teams, [&](const Planned& team) { return team.size == size; },
      [&] { return new_team(place, size, true); });
}

}  // namespace

void plan(team::Team& team, const Place& place) {
  forget_places(team);  // first, because places for one fork may get their memory
  const bool is_full = g_bytes_of_places.load(std::memory_order_relaxed) > kMostPlaces;
  if (place.is_kept && (!is_full || take_known_places(team, place))) {
    team.planned = kept_team(place, team.size);
    return;
  }
  static constinit bool is_traced = false;
  const PlansLocked locked;
  if (!std::exchange(is_traced, true)) {
    process::trace(process::Traced::kPlacesFull, g_bytes_of_places.load(std::memory_order_relaxed));
  }
  team.planned = locked ? new_team(place, team.size, false) : nullptr;
}

bool plan_members(const Place& parent, int size, PlannedPlace* planned) {
  const PlansLocked locked;
  PlannerMessage message{};
  return locked && plan_members(parent, size, planned, message);
}

void forget_places(team::Team& forgotten) {
  auto* const team = const_cast<Planned*>(std::exchange(forgotten.planned, nullptr));
  if (team == nullptr || team->members[0].is_kept) {
    return;
  }
  for (int i = 0; i < team->size; ++i) {
    Place* form = team->members[i].forms.load(std::memory_order_relaxed);
    while (form != nullptr) {
      Place* const next = form->next;
      g_places.give(form, 1);
      form = next;
    }
    free(team->members[i].mask_seen);
  }
  free(team->warning.load(std::memory_order_relaxed));
  g_places.give(team->members, static_cast<std::size_t>(team->size));
  g_planned.give(team, 1);
}

const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level) {
  const Place* place = root;
  for (int above = 1; above <= level; ++above) {
    if (place->plan == nullptr) {
      return &g_unmanaged;
    }
    const Planned* team = kept_team(*place, runtime.get_team_size(above));
    if (team == nullptr) {
      return nullptr;
    }
    place = &team->members[runtime.get_ancestor_thread_num(above)];
  }
  return place;
}

const Place* place_under(const Place* place, PlanInForce* plan, bool is_loose) {
  const Place* const original = original_of(place);
  const auto make = [&]() -> Place* {
    PlannerStep path[NESTBIND_MAX_LEVELS];
    const int depth = path_of(place, path);
    PlannerMessage message{};
    PlannedPlace planned{};
    const int error = plan == nullptr
                          ? NESTBIND_OK
                          : planner().place(plan->handle, path, depth, &planned, message);
    Place* const form = error == NESTBIND_OK ? make_places(1, original->is_kept) : nullptr;
    if (form != nullptr) {
      planned.mask = place->planned.mask;
      form->primary = place->primary;
      form->number = place->number;
      form->size = place->size;
      form->level = place->level;
      form->is_active = place->is_active;
      form->is_kept = original->is_kept;
      form->original = original;
      write_plan(*form, plan, is_loose, planned);
      form->slot_id = is_loose ? Place::kNoSlot : place->slot_id;
    }
    return form;
  };
  return find_or_make<&Place::next>(
      original->forms,
      [&](const Place& form) { return form.plan == plan && form.is_loose == is_loose; }, make);
}

const Place* place_of_root(PlanInForce* plan, int number) {
  const auto make = [&] {
    Place* const place = make_places(1, true);
    if (place != nullptr) {
      place->number = number;
      write_plan(*place, plan, false, plan->root.planned);
      place->slot_id = slot_id_of(0, number, place->planned.mask);
    }
    return place;
  };
  return find_or_make<&Place::next>(
      plan->roots, [&](const Place& place) { return place.number == number; }, make);
}

mask::CpuMask partition_of(const Place& place) {
  PlannerStep path[NESTBIND_MAX_LEVELS];
  const int depth = path_of(&place, path);
  const PlansLocked locked;
  return locked ? planner().partition(place.plan->handle, path, depth) : mask::CpuMask{};
}

const PlannedPlace* planned_member(const team::Team& team, int number) {
  const Planned* const planned = is_planned(team.parent) ? planned_of(team) : nullptr;
  return planned == nullptr ? nullptr : &planned->members[number].planned;
}

NodeDistances node_distances(const team::Team& team) {
  return is_planned(team.parent) ? team.parent->plan->distances : NodeDistances{};
}

}  // namespace nestbind::placement
