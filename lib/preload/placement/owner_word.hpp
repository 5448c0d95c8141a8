// SPDX-License-Identifier: BSD-3-Clause
// Which thread owns the plan.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "binding/thread.hpp"

namespace nestbind::placement {

struct OwnerWord {
  // A flag in `thread`: the owner's next fork reads the owner's mask.
  static constexpr uintptr_t kLook = 1;
  // A flag in `thread`: the owner's mask was set for the process (purpose.hpp).
  static constexpr uintptr_t kMeant = 2;

  std::atomic<uintptr_t> thread;  // the owner's record, and flags; 0 if no thread owns the plan
  std::atomic<pid_t> id;          // the kernel's thread id of the latest owner
  std::atomic<pthread_t> handle;
};
extern constinit OwnerWord g_owner;

inline uintptr_t as_word(const binding::Thread& thread) {
  return reinterpret_cast<uintptr_t>(&thread);
}

inline uintptr_t owner() {
  return g_owner.thread.load(std::memory_order_acquire) & ~(OwnerWord::kLook | OwnerWord::kMeant);
}

// Returns false if the plan has an owner.
bool become_owner();

void look_at_owner(uintptr_t why);

}  // namespace nestbind::placement
