// SPDX-License-Identifier: BSD-3-Clause
#include "placement/owner_word.hpp"

#include <unistd.h>

#include "placement/plans.hpp"

namespace nestbind::placement {

constinit OwnerWord g_owner{};

bool become_owner() {
  uintptr_t nobody = 0;
  if (!g_owner.thread.compare_exchange_strong(nobody, as_word(binding::t_thread))) {
    return false;
  }
  g_owner.id.store(gettid(), std::memory_order_relaxed);
  g_owner.handle.store(pthread_self(), std::memory_order_relaxed);
  return true;
}

void look_at_owner(uintptr_t why) {
  uintptr_t present = g_owner.thread.load(std::memory_order_relaxed);
  while (present != 0 &&
         !g_owner.thread.compare_exchange_weak(present, present | why, std::memory_order_acq_rel)) {
  }
  divide_anew();
}

}  // namespace nestbind::placement
