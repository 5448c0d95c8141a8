// SPDX-License-Identifier: BSD-3-Clause
// Which thread owns the plan. At a fork, the owner reads only one word in memory. The word says
// that this thread is the owner, and that the thread need not read its mask.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "binding/thread.hpp"

namespace nestbind::placement {

struct OwnerWord {
  // Flags in `thread`. kLook: the owner's next fork reads the owner's mask. kMeant: the owner's
  // mask was set for the process (purpose.hpp).
  static constexpr uintptr_t kLook = 1;
  static constexpr uintptr_t kMeant = 2;

  std::atomic<uintptr_t> thread;  // the owner's record, and flags; 0: no thread owns the plan
  std::atomic<pid_t> id;          // the kernel's thread id of the latest owner
  std::atomic<pthread_t> handle;  // the pthread handle of the latest owner
};
extern constinit OwnerWord g_owner;

inline uintptr_t as_word(const binding::Thread& thread) {
  return reinterpret_cast<uintptr_t>(&thread);
}

inline uintptr_t owner() {
  return g_owner.thread.load(std::memory_order_acquire) & ~(OwnerWord::kLook | OwnerWord::kMeant);
}

// Makes the calling thread the owner if the plan has no owner. Returns whether it has done so.
bool become_owner();

// Makes the owner's next fork read the owner's mask. why: kLook or kMeant.
void look_at_owner(uintptr_t why);

}  // namespace nestbind::placement
