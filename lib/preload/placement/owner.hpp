// SPDX-License-Identifier: BSD-3-Clause
// Threads that fork from outside of regions: which one owns the plan.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

bool plan_has_owner();

// The place that a root thread hands on: the plan's root for the owner, g_unmanaged_root for
// others; null without a specification.
const Place* root_fork(const omp::Calls& runtime);

// What the owner's thread has is gone in a forked child, unless it is the calling thread.
void keep_owner_in_child();

// Which thread owns the plan, so that a fork of its sees in one word that it does, and that there
// is nothing else to see to.
struct OwnerWord {
  // Set in `thread`: the owner's next fork looks at its mask; somebody has set it on purpose.
  static constexpr uintptr_t kLook = 1;
  static constexpr uintptr_t kMeant = 2;

  std::atomic<uintptr_t> thread;  // its record; 0: nobody owns the plan
  std::atomic<pid_t> id;          // the kernel's number of the latest owner, and its handle
  std::atomic<pthread_t> handle;
};
extern constinit OwnerWord g_owner;

inline uintptr_t as_word(const binding::Thread& thread) {
  return reinterpret_cast<uintptr_t>(&thread);
}

inline uintptr_t owner() {
  return g_owner.thread.load(std::memory_order_acquire) & ~(OwnerWord::kLook | OwnerWord::kMeant);
}

// The calling thread becomes the owner, if there is none. Returns whether it does.
bool become_owner();

// The next fork of the owner's looks at its mask; `why` is kLook or kMeant.
void look_at_owner(uintptr_t why);

}  // namespace nestbind::placement
