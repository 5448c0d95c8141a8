// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/roots.hpp"

#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "interpose/module_range.hpp"
#include "runtime/expected_runtime.hpp"
#include "runtime/message.hpp"
#include "runtime/settings.hpp"
#include "runtime/start.hpp"

namespace nestbind::runtime {

namespace {

constexpr int kMaxRuntimes = 8;

constinit std::atomic<Thread*> g_owner{nullptr};
constinit std::atomic<const OmpCalls*> g_started[kMaxRuntimes]{};
constinit std::atomic<uintptr_t> g_code_begin[kMaxRuntimes]{};
constinit std::atomic<uintptr_t> g_code_end[kMaxRuntimes]{};
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
  if (!settings().sizes) {
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
  if (settings().sizes && omp.get_max_active_levels() == levels) {
    omp.set_max_active_levels(usual == nullptr ? 1 : atoi(usual));
  }
}

}  // namespace

bool plan_has_owner() { return g_owner.load(std::memory_order_acquire) != nullptr; }

const Place* root_fork(const OmpCalls& omp) {
  start();
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

void runtime_started(const OmpCalls& omp) {
  start();
  const ModuleRange range = module_range(reinterpret_cast<uintptr_t>(omp.get_level));
  for (int i = 0; i < kMaxRuntimes; ++i) {
    const OmpCalls* none = nullptr;
    if (g_started[i].compare_exchange_strong(none, &omp) || none == &omp) {
      const bool is_program = range.has(getauxval(AT_ENTRY));
      g_code_begin[i].store(range.begin, std::memory_order_relaxed);
      g_code_end[i].store(is_program ? 0 : range.end, std::memory_order_release);
      break;
    }
  }
  if (Plan* plan = plan_in_force()) {
    set_root_sizes(omp, plan);
  }
}

bool is_in_runtime(uintptr_t code) {
  for (int i = 0; started_runtime(i) != nullptr; ++i) {
    if (code < g_code_end[i].load(std::memory_order_acquire) &&
        code >= g_code_begin[i].load(std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

const OmpCalls* known_runtime(const OmpCalls* omp) {
  for (int i = 0; const OmpCalls* started = started_runtime(i); ++i) {
    if (started->get_thread_num == omp->get_thread_num) {
      return started;
    }
  }
  return omp;
}

bool sizes_before_fork(const OmpCalls& omp) {
  start();
  Thread& thread = t_thread;
  Plan* plan = plan_in_force();
  if (plan == nullptr || thread.place != nullptr || thread.chose_size ||
      has_sizes(thread, omp, plan) || gettid() != getpid() || omp.get_level() > 0) {
    return false;
  }
  set_root_sizes(omp, plan);
  return true;
}

void program_chose_size() { t_thread.chose_size = true; }

const OmpCalls* started_runtime(int index) {
  return index < kMaxRuntimes ? g_started[index].load(std::memory_order_acquire) : nullptr;
}

void keep_owner_in_child() {
  // A runtime may begin anew in the child.
  t_thread.sized_for = nullptr;
  if (g_owner.load(std::memory_order_acquire) != &t_thread) {
    g_owner.store(nullptr, std::memory_order_release);
  }
}

}  // namespace nestbind::runtime
