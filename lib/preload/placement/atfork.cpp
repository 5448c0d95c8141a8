// SPDX-License-Identifier: BSD-3-Clause
#include "placement/atfork.hpp"

#include <pthread.h>

#include "binding/kernel_mask.hpp"
#include "placement/owner.hpp"
#include "placement/plans_lock.hpp"
#include "placement/root_parts.hpp"
#include "placement/root_sizes.hpp"
#include "placement/seen_places.hpp"
#include "process/undisturbed.hpp"
#include "support/glibc.hpp"
#include "workers/pools.hpp"

namespace nestbind::placement {

namespace {

void free_self() {
  workers::forget_pools();
  const mask::CpuMask bound = binding::bound_mask();
  if (bound.bits == nullptr) {
    return;
  }
  // A mask that was set after the binding, for example by taskset, stays.
  if (binding::kernel_mask_is(bound)) {
    binding::widen_kernel_mask();
  }
  binding::forget_binding();
}

void begin_in_child() {
  forget_seen_in_child();
  forget_sizes_in_child();
  keep_owner_in_child();
  keep_root_in_child();
  free_self();
}

}  // namespace

void free_child() {
  give_up_lost_lock();
  begin_in_child();
}

void watch_fork() {
  // at_fork holds a lock of the C library. A fork in a signal handler would wait for this lock.
  const process::Undisturbed undisturbed;
  support::at_fork(lock_for_fork, unlock_behind_fork, [] {
    unlock_behind_fork();
    begin_in_child();
  });
}

}  // namespace nestbind::placement
