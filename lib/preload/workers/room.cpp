// SPDX-License-Identifier: BSD-3-Clause
#include "workers/room.hpp"

#include "support/clock.hpp"
#include "support/errno_kept.hpp"
#include "workers/census.hpp"
#include "workers/leaving.hpp"
#include "workers/worker.hpp"

namespace nestbind::workers {

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
