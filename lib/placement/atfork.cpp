// SPDX-License-Identifier: BSD-3-Clause
#include "placement/atfork.hpp"

#include <pthread.h>

#include "binding/kernel_mask.hpp"
#include "placement/owner.hpp"
#include "placement/plans.hpp"
#include "workers/crew.hpp"

namespace nestbind::placement {

void free_child() {
  workers::forget_crews();
  const mask::CpuMask bound = binding::bound_mask();
  if (bound.bits == nullptr) {
    return;
  }
  // A taskset in between stays.
  if (binding::kernel_mask_is(bound)) {
    binding::widen_kernel_mask();
  }
  binding::forget_binding();
}

void watch_fork() {
  pthread_atfork(lock_plans, unlock_plans, [] {
    unlock_plans();
    keep_owner_in_child();
    free_child();
  });
}

}  // namespace nestbind::placement
