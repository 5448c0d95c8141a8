// SPDX-License-Identifier: BSD-3-Clause
// Which thread owns the plan.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "binding/thread.hpp"

namespace nestbind::placement {

struct OwnerWord {
  // Flags in `thread`. If kLook is set, the owner reads its mask at its next fork.
  static constexpr uintptr_t kLook = 1;
  static constexpr uintptr_t kMeant = 2;  // the owner's mask is meant (purpose.hpp)

  // The address of the owner's record, plus flags. If the plan has no owner, `thread` is 0.
  std::atomic<uintptr_t> thread;
  std::atomic<pid_t> id;  // the kernel's thread id of the latest owner
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
