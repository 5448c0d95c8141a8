// SPDX-License-Identifier: BSD-3-Clause
// All workers of the process. Their memory is never given back, so that whoever wants something of
// all of them looks at each without a lock, also in a signal handler.
#pragma once

#include <atomic>

#include "workers/worker.hpp"

namespace nestbind::workers {

// A worker that does not run, for the calling thread; null without memory.
Worker* take_worker();

struct Workers {
  static constexpr int kMany = 64;
  Worker worker[kMany];
};

inline constexpr int kMostParts = 1024;
// The first ones are there, the others null.
extern constinit std::atomic<Workers*> g_parts[kMostParts];

template <typename Action>
void each_worker(Action action) {
  for (int i = 0; i < kMostParts; ++i) {
    Workers* part = g_parts[i].load(std::memory_order_acquire);
    if (part == nullptr) {
      break;
    }
    for (Worker& worker : part->worker) {
      action(worker);
    }
  }
}

}  // namespace nestbind::workers
