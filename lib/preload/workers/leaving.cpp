// SPDX-License-Identifier: BSD-3-Clause
#include "workers/leaving.hpp"

#include <stdlib.h>

#include <atomic>

#include "support/clock.hpp"
#include "support/errno_kept.hpp"
#include "workers/census.hpp"
#include "workers/worker.hpp"

namespace nestbind::workers {

namespace {

constexpr long kPatience = 5000;  // milliseconds

void wait_for(Worker& worker) {
  const long begun = support::milliseconds_now();
  for (long pause = 10; worker.is_leaving() && worker.idle().has_thread();
       pause = pause < 500 ? 2 * pause : pause) {
    const long left_at = worker.idle().left_at();
    if (support::milliseconds_now() - (left_at == 0 ? begun : left_at) > kPatience) {
      return;
    }
    support::nap(pause);
  }
}

void end_before_exit() {
  begin_exit();
  wait_for_leaving();
}

}  // namespace

void wait_for_leaving() {
  if (!self_leaves()) {
    const support::ErrnoKept errno_kept;
    each_worker([](Worker& worker) { wait_for(worker); });
  }
}

void watch_exit() {
  static constinit std::atomic<bool> watched{false};
  if (!watched.load(std::memory_order_relaxed) && !watched.exchange(true)) {
    atexit(end_before_exit);
  }
}

bool make_room(unsigned before) {
  if (!workers_are_kept() || self_leaves() || is_exiting()) {
    return false;
  }
  const support::ErrnoKept errno_kept;
  // After its team's end, a worker needs a moment until it is idle.
  constexpr int kMostNaps = 20;
  for (int naps = 0; naps < kMostNaps; ++naps) {
    each_worker([](Worker& worker) { worker.end_if_idle(); });
    wait_for_leaving();
    if (departures() != before) {
      return true;
    }
    if (kept_workers() == 0) {
      return false;
    }
    support::nap(1000);
  }
  return false;
}

}  // namespace nestbind::workers
