// SPDX-License-Identifier: BSD-3-Clause
#include "placement/places.hpp"

#include <stdlib.h>
#include <string.h>

#include "placement/part.hpp"
#include "placement/plans.hpp"
#include "placement/plans_lock.hpp"
#include "placement/purpose.hpp"
#include "process/message.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

namespace {

// Deeper than paths are long, which is beyond every specification, teams are planned as if they
// were forked from the deepest level that paths have.
int path_of(const Place* place, PlannerStep (&path)[NESTBIND_MAX_LEVELS]) {
  while (place->level > NESTBIND_MAX_LEVELS) {
    place = place->master;
  }
  const int depth = place->level;
  for (; place->master != nullptr; place = place->master) {
    path[place->level - 1] = {place->number, place->size};
  }
  return depth;
}

const Team* find_team(const Place* place, int size) {
  const Team* team = place->teams.load(std::memory_order_acquire);
  while (team != nullptr && team->size != size) {
    team = team->next;
  }
  return team;
}

Team* new_team(const Place* place, int size) {
  PlannerStep path[NESTBIND_MAX_LEVELS];
  const int depth = path_of(place, path);
  Team* team = support::allocate<Team>();
  Place* members = support::allocate<Place>(static_cast<std::size_t>(size));
  PlannedPlace* planned = support::allocate<PlannedPlace>(static_cast<std::size_t>(size));
  PlannerMessage message{};
  if (team == nullptr || members == nullptr || planned == nullptr ||
      planner().team(place->plan->handle, path, depth, size, planned, message) != NESTBIND_OK) {
    free(team);
    free(members);
    free(planned);
    return nullptr;
  }
  // NOLINTBEGIN(clang-analyzer-unix.Malloc): the text stays until it is told
  if (message.text[0] != '\0') {
    team->warning.store(strdup(message.text), std::memory_order_relaxed);
  }
  for (int i = 0; i < size; ++i) {
    // NOLINTEND(clang-analyzer-unix.Malloc)
    members[i].master = place;
    members[i].plan = place->plan;
    members[i].number = i;
    members[i].size = size;
    members[i].level = place->level + 1;
    members[i].planned = planned[i];
    members[i].seat = &members[i];
  }
  // The master stays where it is, also where a changed specification has other slots for it.
  if (place->original != nullptr || place->level > NESTBIND_MAX_LEVELS) {
    members[0].planned.mask = place->planned.mask;
  }
  if (members[0].planned.mask.bits == place->planned.mask.bits) {
    members[0].seat = place->seat;
  }
  free(planned);
  team->size = size;
  team->members = members;
  return team;
}

// Somebody may have given the process another mask since the fork began: then all members come here
// and go on with the plan for that one. Until they do, the team that they look for is not known.
const Place* at_present(const Place* place) {
  if (place->level > 0) {
    return place;
  }
  follow_mask_of_owner();
  return &for_present_mask(place->plan)->root;
}

// Apart, so that a fork whose team is known does not pay for it.
[[gnu::noinline]] const Team* make_team(const Place* former, int size) {
  const Place* place = at_present(former);
  const PlansLocked locked;
  if (const Team* known = find_team(place, size); known != nullptr || !locked) {
    return known;
  }
  Team* team = new_team(place, size);
  if (team != nullptr) {
    team->next = place->teams.load(std::memory_order_relaxed);
    place->teams.store(team, std::memory_order_release);
  }
  return team;
}

}  // namespace

const Team* team_of(const Place* place, int size) {
  const Team* known = find_team(place, size);
  return known != nullptr ? known : make_team(place, size);
}

void tell_crowd(const Team& team) {
  char* const warning = team.warning.exchange(nullptr, std::memory_order_relaxed);
  PlanInForce* plan = team.members[0].plan;
  while (plan->base != nullptr) {
    plan = plan->base;
  }
  if (warning != nullptr && !crowd_is_told() && !plan->is_crowd_told.exchange(true)) {
    say_crowd(warning);
  }
  free(warning);
}

const Place* place_by_ancestors(const Place* root, const omp::Calls& runtime, int level) {
  const Place* place = root;
  for (int above = 1; above <= level; ++above) {
    if (is_apart(place)) {
      return &g_apart;
    }
    const Team* team = team_of(place, runtime.get_team_size(above));
    if (team == nullptr) {
      return nullptr;
    }
    place = &team->members[runtime.get_ancestor_thread_num(above)];
    if (const Place* changed = place->changed.load(std::memory_order_acquire)) {
      place = changed;
    }
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
  Place* changed = support::allocate<Place>();
  if (changed == nullptr || (plan != nullptr && planner().place(plan->handle, path, depth, &planned,
                                                                message) != NESTBIND_OK)) {
    free(changed);
    return nullptr;
  }
  planned.mask = place->planned.mask;
  changed->master = place->master;
  changed->plan = plan;
  changed->number = place->number;
  changed->size = place->size;
  changed->level = place->level;
  changed->planned = planned;
  changed->seat = place->seat;
  changed->original = original;
  changed->next_form = original->forms;
  original->forms = changed;
  return changed;
}

}  // namespace nestbind::placement
