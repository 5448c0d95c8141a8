// SPDX-License-Identifier: BSD-3-Clause
#include "places/team_places.hpp"

#include <stdlib.h>
#include <string.h>

#include <initializer_list>

#include "places/identities.hpp"
#include "places/plans.hpp"
#include "places/plans_lock.hpp"
#include "process/traced.hpp"
#include "support/allocate.hpp"
#include "team/recycled.hpp"

namespace nestbind::placement {

constinit const Place g_unmanaged{};
constinit const Place g_unmanaged_root{};
constinit const Place g_ruled_off{};

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

bool is_full() { return bytes_of_places() > kMostPlaces; }

Place* make_places(std::size_t count, bool is_kept) {
  if (!is_kept) {
    return g_places.take(count);
  }
  add_bytes_of_places(count * sizeof(Place));
  return support::allocate<Place>(count);
}

void give_back(Planned* team) {
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

void fill(Planned& team, const Place* place, const PlannedPlace* planned) {
  for (int i = 0; i < team.size; ++i) {
    Place& member = team.members[i];
    member.id = new_id();
    member.primary = place;
    member.plan = place->plan;
    member.number = i;
    member.size = team.size;
    member.level = place->level + 1;
    member.is_active = team.size > 1 || place->is_active;
    member.is_loose = place->is_loose;
    member.is_quick = is_quick(place->plan, place->is_loose);
    member.planned = planned[i];
    member.planned.mask = interned(planned[i].mask);
    const bool stays = i == 0 && member.planned.mask.bits == place->planned.mask.bits;
    member.slot_id = place->is_loose ? Place::kNoSlot
                     : stays         ? place->slot_id
                                     : slot_id_of(place->slot_id, i, member.planned.mask);
  }
}

// Called under the lock.
Planned* new_team(const Place* place, int size, bool is_kept) {
  const auto count = static_cast<std::size_t>(size);
  Planned* team = is_kept ? support::allocate<Planned>() : g_planned.take(1);
  PlannedPlace* planned = support::allocate<PlannedPlace>(count);
  PlannerMessage message{};
  Place* members = nullptr;
  if (team != nullptr && planned != nullptr && plan_members(*place, size, planned, message)) {
    members = make_places(count, is_kept);
  }
  if (members == nullptr) {
    if (is_kept) {
      free(team);
    } else {
      g_planned.give(team, 1);
    }
    free(planned);
    return nullptr;
  }
  if (message.text[0] != '\0' &&
      !place->is_loose) {  // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): stays until printed
    team->warning.store(strdup(message.text), std::memory_order_relaxed);
  }
  team->parent = place->id;
  team->size = size;
  team->members = members;
  fill(*team, place, planned);
  for (int i = 0; i < size; ++i) {
    members[i].is_kept = is_kept;
  }
  free(planned);
  return team;
}

const Planned* known_team(const Place& place, int size) {
  const Planned* team = place.teams.load(std::memory_order_acquire);
  while (team != nullptr && team->size != size) {
    team = team->next;
  }
  return team;
}

// Called under the lock.
const Planned* make_kept(const Place& place, int size) {
  const Planned* known = known_team(place, size);  // another thread may have made it meanwhile
  if (known != nullptr) {
    return known;
  }
  Planned* const made = new_team(&place, size, true);
  if (made != nullptr) {
    add_to_list(place.teams, made);
  }
  return made;
}

void trace_full() {
  static constinit bool is_traced = false;
  if (!is_traced) {
    is_traced = true;
    process::trace(process::Traced::kPlacesFull, bytes_of_places());
  }
}

const Planned* kept_team(const Place& place, int size) {
  const Planned* const known = known_team(place, size);
  if (known != nullptr) {
    return known;
  }
  const PlansLocked locked;
  return locked ? make_kept(place, size) : nullptr;
}

// Only the last fork of a team has places of this kind, so they are given back first.
void plan_once(team::Team& team, const Place& place) {
  const PlansLocked locked;
  trace_full();
  forget_places(team);
  team.planned = locked ? new_team(&place, team.size, false) : nullptr;
}

bool is_kept(const Planned& team) { return team.members[0].is_kept; }

}  // namespace

void plan(team::Team& team, const Place& place) {
  const Planned* const known = place.is_kept ? known_team(place, team.size) : nullptr;
  if (known == nullptr && (!place.is_kept || is_full())) {
    plan_once(team, place);
    return;
  }
  const Planned* const planned = known != nullptr ? known : kept_team(place, team.size);
  forget_places(team);
  team.planned = planned;
}

bool plan_members(const Place& parent, int size, PlannedPlace* planned) {
  const PlansLocked locked;
  PlannerMessage message{};
  return locked && plan_members(parent, size, planned, message);
}

void forget_places(team::Team& team) {
  const Planned* const planned = team.planned;
  team.planned = nullptr;
  if (planned != nullptr && !is_kept(*planned)) {
    give_back(const_cast<Planned*>(planned));
  }
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

namespace {

const Place* known_form(const Place* original, const PlanInForce* plan, bool is_loose) {
  const Place* form = original->forms.load(std::memory_order_acquire);
  while (form != nullptr && (form->plan != plan || form->is_loose != is_loose)) {
    form = form->next;
  }
  return form;
}

const Place* form_of(const Place* place, PlanInForce* plan, bool is_loose) {
  const Place* const original = original_of(place);
  if (const Place* const known = known_form(original, plan, is_loose)) {
    return known;
  }
  const PlansLocked locked;
  if (!locked) {
    return nullptr;
  }
  if (const Place* const known = known_form(original, plan, is_loose)) {
    return known;
  }
  PlannerStep path[NESTBIND_MAX_LEVELS];
  const int depth = path_of(place, path);
  PlannerMessage message{};
  PlannedPlace planned{};
  if (plan != nullptr &&
      planner().place(plan->handle, path, depth, &planned, message) != NESTBIND_OK) {
    return nullptr;
  }
  Place* const changed = make_places(1, original->is_kept);
  if (changed == nullptr) {
    return nullptr;
  }
  planned.mask = place->planned.mask;
  changed->id = new_id();
  changed->primary = place->primary;
  changed->plan = plan;
  changed->number = place->number;
  changed->size = place->size;
  changed->level = place->level;
  changed->is_active = place->is_active;
  changed->is_kept = original->is_kept;
  changed->is_loose = is_loose;
  changed->is_quick = is_quick(plan, is_loose);
  changed->planned = planned;
  changed->slot_id = is_loose ? Place::kNoSlot : place->slot_id;
  changed->original = original;
  add_to_list(original->forms, changed);
  return changed;
}

}  // namespace

const Place* place_under(const Place* place, PlanInForce* plan) {
  return form_of(place, plan, place->is_loose);
}

const Place* loose_form(const Place* place) { return form_of(place, place->plan, true); }

const Place* place_of_root(PlanInForce* plan, int number) {
  const auto known = [&] {
    const Place* place = plan->roots.load(std::memory_order_acquire);
    while (place != nullptr && place->number != number) {
      place = place->next;
    }
    return place;
  };
  if (const Place* const place = known()) {
    return place;
  }
  const PlansLocked locked;
  const Place* const other = locked ? known() : nullptr;
  Place* const place = locked && other == nullptr ? make_places(1, true) : nullptr;
  if (place == nullptr) {
    return other;
  }
  place->id = new_id();
  place->plan = plan;
  place->number = number;
  place->planned = plan->root.planned;
  place->slot_id = slot_id_of(0, number, plan->root.planned.mask);
  add_to_list(plan->roots, place);
  return place;
}

const PlannedPlace* planned_member(const team::Team& team, int number) {
  const Planned* const planned = is_planned(team.parent) ? planned_of(team) : nullptr;
  return planned == nullptr ? nullptr : &planned->members[number].planned;
}

NodeDistances node_distances(const team::Team& team) {
  return is_planned(team.parent) ? team.parent->plan->distances : NodeDistances{};
}

}  // namespace nestbind::placement
