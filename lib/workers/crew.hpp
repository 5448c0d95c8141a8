// SPDX-License-Identifier: BSD-3-Clause
// The workers that a thread keeps for the teams which it forks. They stick to their master, level
// and position, so that each comes back to the place where it was.
#pragma once

#include "workers/worker.hpp"

namespace nestbind::workers {

// For the forks of one master, at one level of one runtime.
struct Crew;

// For a fork that the calling thread begins: its crew, with the first worker next. Null where
// workers are not kept, or where that crew is out already: a region that is offloaded to the host
// counts its levels anew.
Crew* crew_for_fork(const void* runtime, int level);

// The next worker of a fork: a kept one, or a new thread made by `create`. Returns what
// pthread_create would.
int hire(Crew& crew, const Request& request, CreateThread* create);

// The fork's team has ended.
void crew_returns(Crew& crew);

// The calling thread forks a team of this size, whose threads its runtime keeps itself.
void note_own_team(int size);

// Whether no fork of the calling thread's has a crew: its workers have done their calls, even if
// some have not quite returned from them. Also in a signal handler.
bool crews_are_home();

// From then on the end of a master is seen without asking the loader. Once, before any is one.
void watch_masters();

// In a forked child: no other thread is there.
void forget_crews();

}  // namespace nestbind::workers
