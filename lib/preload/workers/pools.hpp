// SPDX-License-Identifier: BSD-3-Clause
// The workers that a thread keeps for the teams that it forks. A worker keeps its primary thread,
// level and position, so that it comes back to the same place.
#pragma once

#include "workers/worker.hpp"

namespace nestbind::workers {

// The workers for the forks of one primary thread, at one level of one runtime.
struct Pool;

// The pool for the calling thread's fork, at its first worker. Null if workers are not kept, or if
// that pool is in use: a region that is offloaded to the host counts its levels from the start.
Pool* pool_for_fork(const void* runtime, int level);

// A fork's next worker: a kept one, or a new thread by `create`. Returns as pthread_create does.
int hire(Pool& pool, const Request& request, CreateThread* create);

// The fork's team has ended.
void pool_returns(Pool& pool);

// The calling thread forks a team of this size, and the runtime itself keeps the team's threads.
void note_own_team(int size);

// Whether no fork of the calling thread uses a pool. Then its workers have done their calls, though
// some may not have returned quite yet. Also for signal handlers.
bool pools_are_back();

// From now on the end of a primary thread is seen without asking the loader. To be called once,
// before any thread is a primary thread.
void watch_primaries();

// In a forked child: no other thread exists.
void forget_pools();

}  // namespace nestbind::workers
