// SPDX-License-Identifier: BSD-3-Clause
// The workers that a thread keeps for the teams which it forks. They stick to their primary thread,
// level and position, so that each comes back to the place where it was.
#pragma once

#include "workers/worker.hpp"

namespace nestbind::workers {

// For the forks of one primary thread, at one level of one runtime.
struct Pool;

// For a fork that the calling thread begins: its pool, with the first worker next. Null where
// workers are not kept, or where that pool is out already: a region that is offloaded to the host
// counts its levels anew.
Pool* pool_for_fork(const void* runtime, int level);

// The next worker of a fork: a kept one, or a new thread made by `create`. Returns what
// pthread_create would.
int hire(Pool& pool, const Request& request, CreateThread* create);

// The fork's team has ended.
void pool_returns(Pool& pool);

// The calling thread forks a team of this size, whose threads its runtime keeps itself.
void note_own_team(int size);

// Whether no fork of the calling thread's has a pool: its workers have done their calls, even if
// some have not quite returned from them. Also in a signal handler.
bool pools_are_back();

// From then on the end of a primary thread is seen without asking the loader. Once, before any is
// one.
void watch_primaries();

// In a forked child: no other thread is there.
void forget_pools();

}  // namespace nestbind::workers
