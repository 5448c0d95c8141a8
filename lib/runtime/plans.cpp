// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/plans.hpp"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <new>

#include "options/settings.hpp"
#include "runtime/load_planner.hpp"
#include "runtime/masks.hpp"
#include "runtime/message.hpp"
#include "spec/errors.hpp"

namespace nestbind::runtime {

namespace {

constinit pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
constinit std::atomic<Plan*> g_in_force{nullptr};
constinit Plan* g_plans = nullptr;
constinit const PlannerApi* g_planner = nullptr;
constinit PlannerMessage g_load_message{};
constinit int g_machine_error = -1;  // of reading the machine; -1: not yet tried

class Locked {
 public:
  Locked() : saved_(errno) { pthread_mutex_lock(&g_lock); }
  ~Locked() {
    pthread_mutex_unlock(&g_lock);
    errno = saved_;
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  int saved_;
};

template <typename T>
T* allocate(std::size_t count) {
  void* memory = calloc(count, sizeof(T));
  if (memory == nullptr) {
    return nullptr;
  }
  for (std::size_t i = 0; i < count; ++i) {
    new (static_cast<T*>(memory) + i) T;
  }
  return static_cast<T*>(memory);
}

void tell_failure(int error, const PlannerMessage& message) {
  say(Severity::kError, "%s%s%s; the threads are not bound", spec::strerror(error),
      message.text[0] != '\0' ? ": " : "", message.text);
}

PlannerOptions planner_options() {
  PlannerOptions options{};
  options.allowed = process_mask();
  options.source = options::settings().machine;
  options.smt = options::settings().smt;
  options.cores = options::settings().cores;
  options.cache = options::settings().cache;
  return options;
}

int read_machine() {
  if (g_machine_error >= 0) {
    return g_machine_error;
  }
  PlannerMessage message{};
  if (g_planner == nullptr) {
    message = g_load_message;
    g_machine_error = NESTBIND_NO_PLANNER;
  } else {
    const PlannerOptions options = planner_options();
    g_machine_error = options.source == nullptr && options.allowed.bits == nullptr
                          ? NESTBIND_NO_MACHINE
                          : g_planner->open(options, message);
  }
  if (g_machine_error != NESTBIND_OK) {
    tell_failure(g_machine_error, message);
  }
  return g_machine_error;
}

int make_handle(Plan* plan) {
  PlannerMessage message{};
  int error = plan->base == nullptr ? g_planner->make(plan->spec, &plan->handle, message)
                                    : g_planner->make_from(plan->base->handle, plan->level,
                                                           plan->spec, &plan->handle, message);
  if (error == NESTBIND_OK) {
    if (message.text[0] != '\0') {
      say(Severity::kWarning, "%s", message.text);
    }
    plan->root.plan = plan;
    note_planned_machine(g_planner->everything(plan->handle));
    error = g_planner->place(plan->handle, nullptr, 0, &plan->root.planned, message);
  }
  if (error != NESTBIND_OK) {
    tell_failure(error, message);
  }
  return error;
}

int make_locked(Plan* plan) {
  int status = plan->status.load(std::memory_order_relaxed);
  if (status != Plan::kNotMade) {
    return status;
  }
  status = plan->base != nullptr ? make_locked(plan->base) : read_machine();
  if (status == NESTBIND_OK) {
    status = make_handle(plan);
  }
  plan->status.store(status, std::memory_order_release);
  return status;
}

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
  Team* team = allocate<Team>(1);
  Place* members = allocate<Place>(static_cast<std::size_t>(size));
  PlannedPlace* planned = allocate<PlannedPlace>(static_cast<std::size_t>(size));
  PlannerMessage message{};
  if (team == nullptr || members == nullptr || planned == nullptr ||
      g_planner->team(place->plan->handle, path, depth, size, planned, message) != NESTBIND_OK) {
    free(team);
    free(members);
    free(planned);
    return nullptr;
  }
  if (message.text[0] != '\0') {
    say(Severity::kWarning, "%s", message.text);
  }
  for (int i = 0; i < size; ++i) {
    members[i].master = place;
    members[i].plan = place->plan;
    members[i].number = i;
    members[i].size = size;
    members[i].level = place->level + 1;
    members[i].planned = planned[i];
  }
  // The master stays where it is, also where a changed specification has other slots for it.
  if (place->original != nullptr || place->level > NESTBIND_MAX_LEVELS) {
    members[0].planned.mask = place->planned.mask;
  }
  free(planned);
  team->size = size;
  team->members = members;
  return team;
}

}  // namespace

Plan* plan_in_force() { return g_in_force.load(std::memory_order_acquire); }
void put_in_force(Plan* plan) { g_in_force.store(plan, std::memory_order_release); }

Plan* plan_of(const spec::Spec& spec, Plan* base, int level) {
  const Locked locked;
  for (Plan* plan = g_plans; plan != nullptr; plan = plan->next) {
    if (plan->base == base && plan->level == level && plan->spec == spec) {
      return plan;
    }
  }
  Plan* plan = allocate<Plan>(1);
  if (plan != nullptr) {
    plan->spec = spec;
    plan->base = base;
    plan->level = level;
    plan->next = g_plans;
    g_plans = plan;
  }
  return plan;
}

int make_plan(Plan* plan) {
  const int status = plan->status.load(std::memory_order_acquire);
  if (status != Plan::kNotMade) {
    return status;
  }
  // Before the lock is taken: another thread may hold the loader's lock and wait for ours.
  const int saved = errno;
  PlannerMessage message{};
  const PlannerApi* planner = load_planner(planner_options(), message);
  errno = saved;
  const Locked locked;
  g_planner = planner;
  g_load_message = message;
  return make_locked(plan);
}

const Team* team_of(const Place* place, int size) {
  if (const Team* known = find_team(place, size)) {
    return known;
  }
  const Locked locked;
  if (const Team* known = find_team(place, size)) {
    return known;
  }
  Team* team = new_team(place, size);
  if (team != nullptr) {
    team->next = place->teams.load(std::memory_order_relaxed);
    place->teams.store(team, std::memory_order_release);
  }
  return team;
}

Place* place_under(const Place* place, Plan* plan) {
  const Locked locked;
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
  Place* changed = allocate<Place>(1);
  if (changed == nullptr ||
      g_planner->place(plan->handle, path, depth, &planned, message) != NESTBIND_OK) {
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
  changed->original = original;
  changed->next_form = original->forms;
  original->forms = changed;
  return changed;
}

void lock_plans() { pthread_mutex_lock(&g_lock); }
void unlock_plans() { pthread_mutex_unlock(&g_lock); }

}  // namespace nestbind::runtime
