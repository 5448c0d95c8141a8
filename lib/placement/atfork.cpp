// SPDX-License-Identifier: BSD-3-Clause
#include "placement/atfork.hpp"

#include <pthread.h>

#include "binding/kernel_mask.hpp"
#include "placement/owner.hpp"
#include "placement/plans_lock.hpp"
#include "process/undisturbed.hpp"
#include "workers/crew.hpp"

namespace nestbind::placement {

namespace {

void free_self() {
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

}  // namespace

void free_child() {
  give_up_lost_lock();
  keep_owner_in_child();
  free_self();
}

void watch_fork() {
  // The C library has a lock here that a fork in a handler would wait for.
  const process::Undisturbed undisturbed;
  pthread_atfork(lock_for_fork, unlock_behind_fork, [] {
    unlock_behind_fork();
    keep_owner_in_child();
    free_self();
  });
}

}  // namespace nestbind::placement
