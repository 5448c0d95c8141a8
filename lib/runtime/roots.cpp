// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/roots.hpp"

#include <pthread.h>
#include <stdlib.h>

#include "options/settings.hpp"
#include "runtime/expected_runtime.hpp"
#include "runtime/message.hpp"

namespace nestbind::runtime {

namespace {

constinit std::atomic<Thread*> g_owner{nullptr};
constinit std::atomic<bool> g_told_apart{false};

void owner_ends(void*) { g_owner.store(nullptr, std::memory_order_release); }

// The plan becomes free when the calling thread ends, since its record has no destructor. Where the
// program has used up all keys the plan stays with its first owner.
void watch_owner(Thread& thread) {
  static pthread_key_t key;
  static bool has_key;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { has_key = pthread_key_create(&key, owner_ends) == 0; });
  if (has_key) {
    pthread_setspecific(key, &thread);
  }
}

bool owns(Thread& thread) {
  Thread* owner = g_owner.load(std::memory_order_acquire);
  if (owner == &thread) {
    return true;
  }
  if (owner != nullptr || !g_owner.compare_exchange_strong(owner, &thread)) {
    return false;
  }
  watch_owner(thread);
  return true;
}

void note_sizes(Thread& thread, const OmpCalls& omp, const Plan* plan) {
  check_runtime(omp);
  if (thread.sized_for != plan) {
    thread.sized_for = plan;
    for (const OmpCalls*& sized : thread.sized) {
      sized = nullptr;
    }
  }
  for (const OmpCalls*& sized : thread.sized) {
    if (sized == nullptr) {
      sized = &omp;
      return;
    }
  }
}

}  // namespace

void install_sizes(const OmpCalls& omp, int first_size, int levels) {
  if (!options::settings().sizes) {
    return;
  }
  if (first_size > 0) {
    omp.set_num_threads(first_size);
  }
  omp.set_max_active_levels(levels);
}

namespace {

// There is no plan after all, so no inner sizes: nested teams would have as many threads as there
// are processors. What the runtime had before cannot be asked while it starts.
void give_levels_back(const OmpCalls& omp, int levels) {
  const char* usual = getenv("OMP_MAX_ACTIVE_LEVELS");
  if (options::settings().sizes && omp.get_max_active_levels() == levels) {
    omp.set_max_active_levels(usual == nullptr ? 1 : atoi(usual));
  }
}

}  // namespace

bool has_sizes(const Thread& thread, const OmpCalls& omp, const Plan* plan) {
  if (thread.sized_for != plan) {
    return false;
  }
  for (const OmpCalls* sized : thread.sized) {
    if (sized == &omp) {
      return true;
    }
  }
  return false;
}

bool plan_has_owner() { return g_owner.load(std::memory_order_acquire) != nullptr; }

const Place* root_fork(const OmpCalls& omp) {
  Plan* plan = plan_in_force();
  if (plan == nullptr) {
    return nullptr;
  }
  Thread& thread = t_thread;
  if (omp.get_level() > 0 || !owns(thread)) {
    // Inside a region that began before there was a specification, or beside the owner.
    if (omp.get_level() == 0 && !g_told_apart.exchange(true)) {
      say(Severity::kWarning,
          "another thread of the program's own opens parallel regions; its teams are not bound");
    }
    return &g_apart_root;
  }
  if (make_plan(plan) != NESTBIND_OK) {
    give_levels_back(omp, plan->spec.levels);
    return &g_apart_root;
  }
  if (!has_sizes(thread, omp, plan)) {
    note_sizes(thread, omp, plan);
    install_sizes(omp, thread.chose_size ? 0 : plan->root.planned.next_size, plan->spec.levels);
  }
  return &plan->root;
}

void set_root_sizes(const OmpCalls& omp, Plan* plan) {
  note_sizes(t_thread, omp, plan);
  int first = plan->spec.level[0].size;
  if (first == 0 && make_plan(plan) == NESTBIND_OK) {
    first = plan->root.planned.next_size;
  }
  install_sizes(omp, first, plan->spec.levels);
}

void keep_owner_in_child() {
  // A runtime may begin anew in the child.
  t_thread.sized_for = nullptr;
  if (g_owner.load(std::memory_order_acquire) != &t_thread) {
    g_owner.store(nullptr, std::memory_order_release);
  }
}

}  // namespace nestbind::runtime
