// SPDX-License-Identifier: BSD-3-Clause
#include "workers/quiet.hpp"

#include <signal.h>
#include <string.h>

#include "support/clock.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"
#include "workers/census.hpp"
#include "workers/changes.hpp"
#include "workers/pools.hpp"
#include "workers/worker.hpp"

namespace nestbind::workers {

namespace {

constexpr long kPatienceForQuiet = 1000;  // milliseconds: a handler on the worker may wait for us
constexpr int kLooks = 200;

// A worker in a region may take signals. After the region, the worker is still busy for a moment.
bool may_take_signal(Worker& worker, bool own_have_come_home) {
  return worker.is_busy() ? own_have_come_home && worker.is_of(pthread_self())
                          : !worker.idle().is_quiet();
}

void wait_until_quiet(Worker& worker, bool own_have_come_home) {
  long begun = 0;
  for (int looks = 0; may_take_signal(worker, own_have_come_home); ++looks) {
    begun = looks == 0 ? support::milliseconds_now() : begun;
    if (support::milliseconds_now() - begun > kPatienceForQuiet) {
      worker.idle().pretend_quiet();  // later calls do not wait for this worker
      return;
    }
    if (looks > kLooks) {
      support::nap(20);
    }
  }
}

}  // namespace

void note_mask_change() {
  note_change();
  if (!workers_are_kept() || kept_workers() == 0) {
    return;
  }
  const support::ErrnoKept errno_kept;
  g_mask_changes.fetch_add(1);
  // A worker without work can call this function in a signal handler or a destructor. Another
  // thread may already wait for this worker. So the worker pretends to block signals.
  Worker* self = self_as_worker();
  if (self != nullptr && !self->is_busy()) {
    self->idle().pretend_quiet();
  }
  const bool own_have_come_home = pools_are_back();
  each_worker([&](Worker& worker) {
    if (&worker != self) {
      wait_until_quiet(worker, own_have_come_home);
    }
  });
}

void note_mask(const void* next) {
  if (kept_workers() == 0) {
    return;
  }
  constexpr std::size_t kKernelBytes = 8;
  const support::ErrnoKept errno_kept;
  unsigned char mask[kKernelBytes];
  const bool is_known =
      support::system_call(SYS_rt_sigprocmask, SIG_SETMASK, nullptr, mask, kKernelBytes) == 0;
  if (!is_known || memcmp(mask, next, kKernelBytes) != 0) {
    note_mask_change();
  }
}

}  // namespace nestbind::workers
