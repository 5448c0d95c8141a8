// SPDX-License-Identifier: BSD-3-Clause
// The workers that a thread keeps for the teams that it forks. A worker always has the same primary
// thread, level and position, so that it always gets the same place.
#pragma once

#include "workers/worker.hpp"

namespace nestbind::workers {

// The workers for the forks of one primary thread, at one level of one runtime.
struct Pool;

// The pool for the calling thread's fork, at its first worker. Null if workers are not kept, or if
// the pool is in use already: a region that is offloaded to the host counts levels from 1 again.
Pool* pool_for_fork(const void* runtime, int level);

// Gets a fork's next worker, which is kept or new (`create`). Returns pthread_create's result.
int hire(Pool& pool, const Request& request, CreateThread* create);

// The fork's team has ended.
void pool_returns(Pool& pool);

// The calling thread forks a team of this size, and the runtime itself keeps the team's threads.
void note_own_team(int size);

// Whether no fork of the calling thread uses a pool. If so, its workers have done their calls, but
// perhaps some have not returned yet. Signal handlers may call this.
bool pools_are_back();

// From now on the end of a primary thread is seen without asking the loader. Must be called once,
// before any thread is a primary thread.
void watch_primaries();

// For a forked child, in which no other thread exists.
void forget_pools();

}  // namespace nestbind::workers
