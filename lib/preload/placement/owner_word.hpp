// SPDX-License-Identifier: BSD-3-Clause
// Which thread owns the plan, so that a fork of its sees in one word that it does, and that there
// is nothing else to see to.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "binding/thread.hpp"

namespace nestbind::placement {

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
