// SPDX-License-Identifier: BSD-3-Clause
// The workers that a thread keeps for the teams that it forks. A worker always has the same primary
// thread, level and position, so that it always gets the same place.
#pragma once

#include "workers/worker.hpp"

namespace nestbind::workers {

struct Pool;

// Returns null if workers are not kept, or if a fork already uses the pool. In a region that is
// offloaded to the host, levels begin at 1 again.
Pool* pool_for_fork(const void* runtime, int level);

int hire(Pool& pool, const Request& request, CreateThread* create);

void pool_returns(Pool& pool);

// Called at the fork of a team of this size if the runtime itself keeps the team's threads.
void note_own_team(int size);

// True if all pools of the calling thread are unused. Signal handlers may call this function.
bool pools_are_back();

// Must be called once, before any thread is a primary thread.
void watch_primaries();

// Called in a forked child, in which no other thread exists.
void forget_pools();

}  // namespace nestbind::workers
