// SPDX-License-Identifier: BSD-3-Clause
#include "workers/ending.hpp"

#include <unistd.h>

#include "support/clock.hpp"
#include "support/errno_kept.hpp"
#include "support/glibc.hpp"
#include "workers/census.hpp"
#include "workers/leaving.hpp"
#include "workers/pools.hpp"
#include "workers/worker.hpp"

namespace nestbind::workers {

namespace {

// True if the worker belongs to the calling thread, and the worker's team has ended.
bool has_come_home(const Worker& worker) {
  return worker.is_of(pthread_self()) && pools_are_back();
}

// Waits until ending workers have finished their calls. Workers of other threads may be in a long
// region. `others` is the largest number of naps for these workers.
void wait_for_busy(int others) {
  constexpr long kOwn = 1000;  // milliseconds
  int naps = 0;
  each_worker([&](Worker& worker) {
    const long begun = support::milliseconds_now();
    while (worker.is_busy_ending()) {
      if (has_come_home(worker) ? support::milliseconds_now() - begun > kOwn : ++naps > others) {
        return;
      }
      support::nap(100);
    }
  });
}

constexpr int kNaps = 20;
constexpr int kNapsAtExit = 100;

void tell_all() {
  each_worker([](Worker& worker) { worker.tell_to_end(); });
}

void end_before_exit(void*) {
  keep_no_more();
  if (!is_exiting()) {
    tell_all();
    // Inside a region, the calling thread does not wait for its workers, because they stay busy.
    wait_for_busy(pools_are_back() ? kNapsAtExit : 0);
    wait_for_leaving();
  }
}

}  // namespace

void end_all(bool wait) {
  if (!workers_are_kept() || is_exiting()) {
    return;
  }
  const support::ErrnoKept errno_kept;
  tell_all();
  if (wait && !self_leaves()) {
    wait_for_busy(kNaps);
    wait_for_leaving();
  }
}

void end_idle() {
  if (!workers_are_kept() || is_exiting()) {
    return;
  }
  const support::ErrnoKept errno_kept;
  each_worker([](Worker& worker) {
    if (has_come_home(worker)) {
      worker.tell_to_end();
    } else {
      worker.end_if_idle();
    }
  });
  if (!self_leaves()) {
    wait_for_busy(kNaps);
    wait_for_leaving();
  }
}

void end_all_at_exit() {
  if (gettid() == getpid()) {
    support::at_thread_end(end_before_exit, nullptr);
  }
}

}  // namespace nestbind::workers
