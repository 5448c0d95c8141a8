// SPDX-License-Identifier: BSD-3-Clause
#include "placement/owner.hpp"

#include <pthread.h>

#include "omp/sources.hpp"
#include "omp/usual.hpp"
#include "options/settings.hpp"
#include "placement/own_children.hpp"
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

// The record of a thread's sizes in a runtime, a new one if need be; null where there is no room.
binding::Sized* sized_in(Thread& thread, const omp::Calls& runtime) {
  for (binding::Sized& sized : thread.sized) {
    if (sized.runtime == &runtime || sized.runtime == nullptr) {
      sized.runtime = &runtime;
      return &sized;
    }
  }
  return nullptr;
}

// first: of the next team; 0: the thread's own stays. present: what the runtime has until now.
void give_sizes(const omp::Calls& runtime, const PlanInForce* plan, int first,
                const omp::Sizes& present) {
  omp::check_wanted(runtime);
  const bool sets = options::settings().sizes;
  if (binding::Sized* sized = sized_in(t_thread, runtime)) {
    if (sized->threads == 0 || present.threads != sized->threads) {
      sized->threads_before = present.threads;
    }
    if (sized->levels == 0 || present.levels != sized->levels) {
      sized->levels_before = present.levels;
    }
    sized->plan = plan;
    sized->threads = sets ? first : 0;
    sized->levels = sets ? plan->spec.levels : 0;
  }
  omp::install_sizes(runtime, first, plan->spec.levels);
}

int first_size(PlanInForce* plan) {
  const int first = plan->spec.level[0].size;
  return first == 0 && make_plan(plan) == NESTBIND_OK ? plan->root.planned.next_size : first;
}

// Whether the program has chosen the size of the thread's next team, by whatever way: it is neither
// what the runtime has begun with nor what it has been given.
bool has_chosen(Thread& thread, const omp::Calls& runtime, int threads) {
  const binding::Sized* sized = sized_in(thread, runtime);
  const bool was_given = sized != nullptr && sized->threads > 0 && threads == sized->threads;
  return !was_given && !omp::is_usual(threads);
}

// Whether a runtime that had been given sizes has lost them, and has read its variables once more,
// as it may in a child.
bool has_begun_anew(Thread& thread, const omp::Calls& runtime, int threads) {
  const binding::Sized* sized = sized_in(thread, runtime);
  return (sized == nullptr || threads != sized->threads) && threads == omp::usual_threads(0);
}

}  // namespace

bool has_sizes(const Thread& thread, const omp::Calls& runtime, const PlanInForce* plan) {
  for (const binding::Sized& sized : thread.sized) {
    if (sized.runtime == &runtime) {
      return sized.plan == plan;
    }
  }
  return false;
}

bool plan_has_owner() { return g_owner.load(std::memory_order_acquire) != nullptr; }

const Place* root_fork(const omp::Calls& runtime) {
  PlanInForce* plan = plan_in_force();
  if (plan == nullptr) {
    if (runtime.get_level() == 0) {
      give_sizes_back(runtime);
    }
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
    give_default_sizes(runtime, plan);
  }
  return &plan->root;
}

void set_root_sizes(const omp::Calls& runtime, PlanInForce* plan, const omp::Sizes& present) {
  give_sizes(runtime, plan, first_size(plan), present);
}

void give_default_sizes(const omp::Calls& runtime, PlanInForce* plan) {
  Thread& thread = t_thread;
  const omp::Sizes present = omp::sizes_of(runtime);
  const bool is_own = thread.chose_size || has_chosen(thread, runtime, present.threads);
  if (!is_own && has_begun_anew(thread, runtime, present.threads)) {
    let_own_threads_win();
  }
  give_sizes(runtime, plan, is_own ? 0 : first_size(plan), present);
}

void give_sizes_back(const omp::Calls& runtime) {
  for (binding::Sized& sized : t_thread.sized) {
    if (sized.runtime == &runtime && (sized.threads > 0 || sized.levels > 0)) {
      omp::give_sizes_back(runtime, {sized.threads, sized.levels},
                           {sized.threads_before, sized.levels_before});
      sized = {};
      sized.runtime = &runtime;
    }
  }
}

void keep_owner_in_child() {
  // A runtime may begin anew in the child.
  for (binding::Sized& sized : t_thread.sized) {
    sized.plan = nullptr;
  }
  if (g_owner.load(std::memory_order_acquire) != &t_thread) {
    g_owner.store(nullptr, std::memory_order_release);
  }
}

}  // namespace nestbind::placement
