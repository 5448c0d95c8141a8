// SPDX-License-Identifier: BSD-3-Clause
#include "placement/owner.hpp"

#include <pthread.h>

#include "omp/runtime_sizes.hpp"
#include "placement/outside.hpp"
#include "placement/owner_word.hpp"
#include "placement/part.hpp"
#include "placement/plans.hpp"
#include "placement/purpose.hpp"
#include "placement/region_rules.hpp"
#include "placement/root_parts.hpp"
#include "placement/root_sizes.hpp"
#include "process/message.hpp"
#include "process/once.hpp"
#include "process/undisturbed.hpp"
#include "team/consumer.hpp"

namespace nestbind::placement {

using binding::t_thread;
using binding::Thread;

namespace {

constinit std::atomic<bool> g_told_unmanaged{false};

void tell_unmanaged() {
  if (!g_told_unmanaged.exchange(true)) {
    process::say(process::Severity::kWarning,
                 "a second thread outside of OpenMP's teams opens parallel regions; its teams are "
                 "not bound (%s)",
                 has_region_rules() ? "root threads divide nothing if there are rules for regions"
                                    : "NESTBIND_ROOTS=divide");
  }
}

void owner_ends(void*) { g_owner.thread.store(0, std::memory_order_release); }

// Makes the plan lose its owner when the calling thread ends. A pthread key does this, because the
// thread's record has no destructor.
void watch_owner(Thread& thread) {
  static pthread_key_t key;
  static bool has_key;
  static constinit process::Once once;
  once.run([] { has_key = pthread_key_create(&key, owner_ends) == 0; });
  if (has_key) {
    pthread_setspecific(key, &thread);
  }
}

[[gnu::noinline]] bool comes_to_own(Thread& thread) {
  const process::Uncancelled uncancelled;
  if (owner() == as_word(thread)) {
    const uintptr_t why = g_owner.thread.exchange(as_word(thread), std::memory_order_acq_rel);
    if ((why & OwnerWord::kMeant) != 0) {
      thread.unmeant = 0;
    }
  } else if (become_owner()) {
    watch_owner(thread);
    team::g_path_root.store(&team::here(), std::memory_order_release);
  } else {
    return false;
  }
  follow_own_mask();
  settle_ranks();
  return true;
}

}  // namespace

bool plan_has_owner() { return owner() != 0; }

bool forks_as_owner(const omp::Calls& runtime) {
  Thread& thread = t_thread;
  if (level_in(runtime) > 0) {
    return false;
  }
  const bool owns =
      g_owner.thread.load(std::memory_order_acquire) == as_word(thread) || comes_to_own(thread);
  if (!owns) {
    tell_unmanaged();
  }
  return owns;
}

const Place* root_fork(const omp::Calls& runtime) {
  PlanInForce* plan = plan_in_force();
  if (plan == nullptr) {
    if (level_in(runtime) == 0) {
      give_sizes_back(runtime);
    }
    return nullptr;
  }
  if (is_divided(plan->spec)) {
    return fork_of_part(runtime, plan);
  }
  Thread& thread = t_thread;
  const bool owns = g_owner.thread.load(std::memory_order_acquire) == as_word(thread);
  const int level = level_in(runtime);
  if (level > 0 || !(owns || comes_to_own(thread))) {
    if (level == 0) {
      tell_unmanaged();
    }
    if (part_is_undecided()) {  // unplanned teams of a rank must stay in its part
      if (make_plan(plan) == NESTBIND_OK) {
        settle_ranks();
      }
    }
    return &g_unmanaged_root;
  }
  if (!owns) {  // a new owner may have another mask
    plan = plan_in_force();
  }
  if (plan == nullptr) {
    return nullptr;
  }
  if (const int error = make_plan(plan); error != NESTBIND_OK) {
    if (error != NESTBIND_NOT_PLACED) {
      omp::give_levels_back(runtime, plan->spec.active_levels());
    }
    return &g_unmanaged_root;
  }
  if (!has_sizes(thread, runtime, plan)) {
    bring_sizes(runtime, plan);
  }
  return &plan->root;
}

void keep_owner_in_child() {
  const bool is_owner = owner() == as_word(t_thread);
  g_owner.thread.store(0, std::memory_order_release);
  if (is_owner) {
    become_owner();
    look_at_owner(OwnerWord::kLook);
  }
}

}  // namespace nestbind::placement
