// SPDX-License-Identifier: BSD-3-Clause
#include "placement/owner.hpp"

#include <pthread.h>

#include "omp/sizes.hpp"
#include "omp/sources.hpp"
#include "placement/plans.hpp"
#include "process/message.hpp"
#include "process/once.hpp"
#include "process/undisturbed.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

namespace {

constinit std::atomic<Thread*> g_owner{nullptr};
constinit std::atomic<bool> g_told_apart{false};

void owner_ends(void*) { g_owner.store(nullptr, std::memory_order_release); }

// The plan becomes free when the calling thread ends, since its record has no destructor. Where the
// program has used up all keys the plan stays with its first owner.
void watch_owner(Thread& thread) {
  static pthread_key_t key;
  static bool has_key;
  static constinit process::Once once;
  once.run([] { has_key = pthread_key_create(&key, owner_ends) == 0; });
  if (has_key) {
    pthread_setspecific(key, &thread);
  }
}

[[gnu::noinline]] bool becomes_owner(Thread& thread) {
  const process::Uncancelled uncancelled;
  Thread* owner = nullptr;
  if (!g_owner.compare_exchange_strong(owner, &thread)) {
    return false;
  }
  watch_owner(thread);
  return true;
}

bool owns(Thread& thread) {
  Thread* owner = g_owner.load(std::memory_order_acquire);
  return owner == &thread || (owner == nullptr && becomes_owner(thread));
}

void note_sizes(Thread& thread, const omp::Calls& runtime, const PlanInForce* plan) {
  omp::check_wanted(runtime);
  if (thread.sized_for != plan) {
    thread.sized_for = plan;
    for (const omp::Calls*& sized : thread.sized) {
      sized = nullptr;
    }
  }
  for (const omp::Calls*& sized : thread.sized) {
    if (sized == nullptr) {
      sized = &runtime;
      return;
    }
  }
}

}  // namespace

bool has_sizes(const Thread& thread, const omp::Calls& runtime, const PlanInForce* plan) {
  if (thread.sized_for != plan) {
    return false;
  }
  for (const omp::Calls* sized : thread.sized) {
    if (sized == &runtime) {
      return true;
    }
  }
  return false;
}

bool plan_has_owner() { return g_owner.load(std::memory_order_acquire) != nullptr; }

const Place* root_fork(const omp::Calls& runtime) {
  PlanInForce* plan = plan_in_force();
  if (plan == nullptr) {
    return nullptr;
  }
  Thread& thread = t_thread;
  if (runtime.get_level() > 0 || !owns(thread)) {
    // Inside a region that began before there was a specification, or beside the owner.
    if (runtime.get_level() == 0 && !g_told_apart.exchange(true)) {
      process::say(
          process::Severity::kWarning,
          "another thread of the program's own opens parallel regions; its teams are not bound");
    }
    return &g_apart_root;
  }
  if (const int error = make_plan(plan); error != NESTBIND_OK) {
    if (error != NESTBIND_NOT_PLACED) {  // it will never be made
      omp::give_levels_back(runtime, plan->spec.levels);
    }
    return &g_apart_root;
  }
  if (!has_sizes(thread, runtime, plan)) {
    note_sizes(thread, runtime, plan);
    omp::install_sizes(runtime, thread.chose_size ? 0 : plan->root.planned.next_size,
                       plan->spec.levels);
  }
  return &plan->root;
}

void set_root_sizes(const omp::Calls& runtime, PlanInForce* plan) {
  note_sizes(t_thread, runtime, plan);
  int first = plan->spec.level[0].size;
  if (first == 0 && make_plan(plan) == NESTBIND_OK) {
    first = plan->root.planned.next_size;
  }
  omp::install_sizes(runtime, first, plan->spec.levels);
}

void keep_owner_in_child() {
  // A runtime may begin anew in the child.
  t_thread.sized_for = nullptr;
  if (g_owner.load(std::memory_order_acquire) != &t_thread) {
    g_owner.store(nullptr, std::memory_order_release);
  }
}

}  // namespace nestbind::placement
