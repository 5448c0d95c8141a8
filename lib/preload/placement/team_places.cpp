// SPDX-License-Identifier: BSD-3-Clause
#include "placement/team_places.hpp"

#include <stdlib.h>
#include <string.h>

#include "placement/part.hpp"
#include "placement/plans.hpp"
#include "placement/plans_lock.hpp"
#include "placement/purpose.hpp"
#include "process/message.hpp"
#include "support/allocate.hpp"
#include "team/recycled.hpp"

namespace nestbind::placement {

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

constinit team::Recycled<Planned> g_planned;
constinit team::Recycled<Place> g_places;

void give_back(Planned* team) {
  for (int i = 0; i < team->size; ++i) {
    while (Place* form = team->members[i].forms) {
      team->members[i].forms = form->next_form;
      g_places.give(form, 1);
    }
    free(team->members[i].mask_seen);
  }
  free(team->warning.load(std::memory_order_relaxed));
  g_places.give(team->members, static_cast<std::size_t>(team->size));
  g_planned.give(team, 1);
}

// Called under the lock. The primary thread keeps its slot, even if a changed plan gives this
// thread another slot.
bool plan_members(const Place& place, int size, PlannedPlace* planned, PlannerMessage& message) {
  PlannerStep path[NESTBIND_MAX_LEVELS];
  const int depth = path_of(&place, path);
  if (planner().team(place.plan->handle, path, depth, size, planned, message) != NESTBIND_OK) {
    return false;
  }
  if (place.original != nullptr || place.level > NESTBIND_MAX_LEVELS) {
    planned[0].mask = place.planned.mask;
  }
  return true;
}

// Called under the lock.
Planned* new_team(const Place* place, int size) {
  const auto count = static_cast<std::size_t>(size);
  Planned* team = g_planned.take(1);
  Place* members = g_places.take(count);
  PlannedPlace* planned = support::allocate<PlannedPlace>(count);
  PlannerMessage message{};
  if (team == nullptr || members == nullptr || planned == nullptr ||
      !plan_members(*place, size, planned, message)) {
    g_planned.give(team, 1);
    g_places.give(members, count);
    free(planned);
    return nullptr;
  }
  // NOLINTBEGIN(clang-analyzer-unix.Malloc): the text stays until it is printed
  if (message.text[0] != '\0') {
    team->warning.store(strdup(message.text), std::memory_order_relaxed);
  }
  for (int i = 0; i < size; ++i) {
    // NOLINTEND(clang-analyzer-unix.Malloc)
    members[i].primary = place;
    members[i].plan = place->plan;
    members[i].number = i;
    members[i].size = size;
    members[i].level = place->level + 1;
    members[i].is_active = size > 1 || place->is_active;
    members[i].planned = planned[i];
    members[i].slot_id = new_slot_id();
  }
  if (members[0].planned.mask.bits == place->planned.mask.bits) {
    members[0].slot_id = place->slot_id;
  }
  free(planned);
  team->size = size;
  team->members = members;
  return team;
}

// The process may have got another mask since the fork began. Then the team follows the plan for
// the new mask.
const Place* at_present(const Place* place) {
  if (place->level > 0) {
    return place;
  }
  follow_mask_of_owner();
  return place == &place->plan->root ? &for_present_mask(place->plan)->root : place;
}

// The number of specifications for which a team keeps its places.
constexpr int kMostForms = 4;

bool find_planned(team::Team& team, const Place* parent) {
  for (Planned** link = &team.planned; *link != nullptr; link = &(*link)->next) {
    Planned* const planned = *link;
    if (planned->parent == parent && planned->size == team.size) {
      *link = planned->next;
      planned->next = team.planned;
      team.planned = planned;
      return true;
    }
  }
  return false;
}

void drop_oldest(team::Team& team) {
  Planned** link = &team.planned;
  for (int kept = 1; *link != nullptr && kept < kMostForms; ++kept) {
    link = &(*link)->next;
  }
  while (Planned* planned = *link) {
    *link = planned->next;
    give_back(planned);
  }
}

const Planned* unseen_team(const Place* place, int size) {
  const PlansLocked locked;
  if (!locked) {
    return nullptr;
  }
  Planned* team = place->unseen;
  while (team != nullptr && team->size != size) {
    team = team->next;
  }
  if (team == nullptr) {
    team = new_team(place, size);
    if (team != nullptr) {
      team->next = place->unseen;
      place->unseen = team;
    }
  }
  return team;
}

}  // namespace

void plan(team::Team& team) {
  if (find_planned(team, team.parent)) {
    return;
  }
  const Place* const place = at_present(team.parent);
  const PlansLocked locked;
  Planned* const planned = locked ? new_team(place, team.size) : nullptr;
  if (planned == nullptr) {
    return;
  }
  planned->parent = team.parent;
  drop_oldest(team);
  planned->next = team.planned;
  team.planned = planned;
}

bool plan_members(const Place& parent, int size, PlannedPlace* planned) {
  const PlansLocked locked;
  PlannerMessage message{};
  return locked && plan_members(parent, size, planned, message);
}

void forget_places(team::Team& team) {
  while (Planned* planned = team.planned) {
    team.planned = planned->next;
    give_back(planned);
  }
}

void tell_crowd(const Planned& team) {
  char* const warning = team.warning.exchange(nullptr, std::memory_order_relaxed);
  PlanInForce* plan = team.members[0].plan;
  while (plan->base != nullptr) {
    plan = plan->base;
  }
  plan = plan->whole != nullptr ? plan->whole : plan;
  if (warning != nullptr && !crowd_is_told() && !plan->is_crowd_told.exchange(true)) {
    say_crowd(warning);
  }
  free(warning);
}

const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level) {
  const Place* place = root;
  for (int above = 1; above <= level; ++above) {
    if (is_unmanaged(place)) {
      return &g_unmanaged;
    }
    const Planned* team = unseen_team(place, runtime.get_team_size(above));
    if (team == nullptr) {
      return nullptr;
    }
    place = &team->members[runtime.get_ancestor_thread_num(above)];
  }
  return place;
}

Place* place_under(const Place* place, PlanInForce* plan) {
  const PlansLocked locked;
  if (!locked) {
    return nullptr;
  }
  const Place* original = place->original != nullptr ? place->original : place;
  for (Place* form = original->forms; form != nullptr; form = form->next_form) {
    if (form->plan == plan) {
      return form;
    }
  }
  PlannerStep path[NESTBIND_MAX_LEVELS];
  const int depth = path_of(place, path);
  PlannerMessage message{};
  PlannedPlace planned{};
  Place* changed = g_places.take(1);
  if (changed == nullptr || (plan != nullptr && planner().place(plan->handle, path, depth, &planned,
                                                                message) != NESTBIND_OK)) {
    g_places.give(changed, 1);
    return nullptr;
  }
  planned.mask = place->planned.mask;
  changed->primary = place->primary;
  changed->plan = plan;
  changed->number = place->number;
  changed->size = place->size;
  changed->level = place->level;
  changed->is_active = place->is_active;
  changed->planned = planned;
  changed->slot_id = place->slot_id;
  changed->original = original;
  changed->next_form = original->forms;
  original->forms = changed;
  return changed;
}

const PlannedPlace* planned_member(const team::Team& team, int number) {
  const Planned* planned = planned_of(team);
  return planned == nullptr ? nullptr : &planned->members[number].planned;
}

NodeDistances node_distances(const team::Team& team) {
  return is_planned(team.parent) ? team.parent->plan->distances : NodeDistances{};
}

}  // namespace nestbind::placement
