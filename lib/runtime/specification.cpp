// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/specification.hpp"

#include "runtime/masks.hpp"
#include "runtime/message.hpp"
#include "runtime/plans.hpp"
#include "runtime/roots.hpp"
#include "runtime/runtimes.hpp"
#include "runtime/start.hpp"
#include "runtime/thread.hpp"

namespace nestbind::runtime {

namespace {

bool is_planned(const Place* place) { return place != nullptr && place->plan != nullptr; }

// The runtime in whose region the calling thread is, although nestbind did not see it begin.
const OmpCalls* untracked_region() {
  for (int i = 0; const OmpCalls* omp = started_runtime(i); ++i) {
    if (omp->get_level() > 0) {
      return omp;
    }
  }
  return nullptr;
}

void size_next_team(const OmpCalls& omp, const Place& place, const spec::Spec& spec) {
  install_sizes(omp, place.planned.next_size,
                spec.levels > place.level ? spec.levels : place.level);
}

int made(const spec::Spec& spec, Plan* base, int level, Plan*& plan) {
  plan = plan_of(spec, base, level);
  return plan == nullptr ? NESTBIND_NO_MEMORY : make_plan(plan);
}

// In a region: for the teams that the calling thread forks from then on, until the region ends.
int change_here(const spec::Spec& spec) {
  Thread& thread = t_thread;
  const Place* place = thread.place;
  if (!is_planned(place)) {
    return NESTBIND_NOT_PLACED;
  }
  // Above this level all forms of a place have the same rules.
  Plan* base = (place->original != nullptr ? place->original : place)->plan;
  Plan* plan = nullptr;
  if (const int error = made(spec, base, place->level, plan); error != NESTBIND_OK) {
    return error;
  }
  Place* changed = place_under(place, plan);
  if (changed == nullptr) {
    return NESTBIND_NO_MEMORY;
  }
  changed->original->changed.store(changed, std::memory_order_release);
  thread.place = changed;
  size_next_team(*thread.omp, *changed, spec);
  return NESTBIND_OK;
}

// In a region that began before anything was specified: the caller is where the new specification
// puts its path.
int begin_here(const spec::Spec& spec, const OmpCalls& omp) {
  Plan* plan = nullptr;
  if (const int error = made(spec, nullptr, 0, plan); error != NESTBIND_OK) {
    return error;
  }
  const Place* place = &plan->root;
  const int level = omp.get_level();
  for (int above = 1; above <= level; ++above) {
    const Team* team = team_of(place, omp.get_team_size(above));
    if (team == nullptr) {
      return NESTBIND_NOT_PLACED;
    }
    place = &team->members[omp.get_ancestor_thread_num(above)];
  }
  t_thread.place = place;
  t_thread.untracked = true;
  t_thread.omp = &omp;
  size_next_team(omp, *place, spec);
  return NESTBIND_OK;
}

int change_everywhere(const spec::Spec& spec) {
  Plan* plan = nullptr;
  if (const int error = made(spec, nullptr, 0, plan); error != NESTBIND_OK) {
    return error;
  }
  put_in_force(plan);
  for (int i = 0; const OmpCalls* omp = started_runtime(i); ++i) {
    set_root_sizes(*omp, plan);
  }
  return NESTBIND_OK;
}

}  // namespace

int set_specification(const char* text, std::size_t length) {
  start();
  if (text == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse({text, length}, spec, fault)) {
    char message[1024];
    spec::describe({text, length}, fault, message, sizeof message);
    say(Severity::kError, "omp_set_nesting_info: %s", message);
    return fault.error;
  }
  arm();
  if (t_thread.place != nullptr) {
    return change_here(spec);
  }
  const OmpCalls* region = untracked_region();
  return region != nullptr ? begin_here(spec, *region) : change_everywhere(spec);
}

std::size_t get_specification(char* buffer, std::size_t size) {
  start();
  const Place* place = t_thread.place;
  const Plan* plan = is_planned(place) ? place->plan : plan_in_force();
  if (plan != nullptr) {
    return spec::print(plan->spec, buffer, size);
  }
  if (size > 0) {
    buffer[0] = '\0';
  }
  return 0;
}

int get_place(nestbind_place* out) {
  if (out == nullptr) {
    return NESTBIND_BAD_ARGUMENT;
  }
  const Place* place = t_thread.place;
  if (!is_planned(place)) {
    return NESTBIND_NOT_PLACED;
  }
  out->level = place->level;
  out->pinned = place->planned.pinned ? 1 : 0;
  out->core = place->planned.core;
  out->package = place->planned.package;
  out->numa = place->planned.numa;
  for (int i = 0; i < NESTBIND_MAX_LEVELS; ++i) {
    out->path[i] = 0;
  }
  for (; place->master != nullptr; place = place->master) {
    if (place->level > NESTBIND_MAX_LEVELS) {
      continue;
    }
    out->path[place->level - 1] = place->number;
  }
  return NESTBIND_OK;
}

int get_cpus(int* cpus, int capacity) {
  MaskBuffer mask;
  if (Plan* plan = plan_in_force(); plan != nullptr && masks_are_recorded()) {
    make_plan(plan);
  }
  if (!read_self(mask)) {
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

}  // namespace nestbind::runtime
