// SPDX-License-Identifier: BSD-3-Clause
// Workers that an OpenMP runtime creates inside a fork. New ones begin where they are planned;
// otherwise they would begin where their creator is, and wait there until it sleeps. Those of inner
// teams, which end with their team, are kept instead (lib/preload/workers).
#pragma once

#include "mask/cpu_mask.hpp"
#include "team/team.hpp"
#include "workers/worker.hpp"

namespace nestbind::placement {

// On the encountering thread: a fork begins, as the team is asked for, which is only a hint. Its
// workers come from `pool`; null: they are new threads. And the fork has ended.
void expect_workers(team::Team& team);
void workers_return(team::Team& team);

// Whether the calling thread is in a fork, before it has begun as a member.
bool is_forking();

// Whether a thread that the calling one creates, and that begins there, is such a worker.
bool is_expected_worker(workers::Start* start);

// Whether code is that of an OpenMP runtime's worker: it is bound when it joins a team. A runtime
// linked into the program itself cannot be told from the program.
bool is_worker(workers::Start* start);

// The rest is for the creation of an expected worker.

// On its primary thread, for a worker that is a new thread: its mask, as it is planned; no bits:
// not known. The primary thread goes to its own place, for it waits for its workers.
mask::CpuMask mask_for_new_worker();

// Gives the runtime such a worker, by `create` where it is a new thread. Returns what
// pthread_create would.
int provide_worker(const workers::Request& request, workers::CreateThread* create);

// Keeps the workers of inner teams from now on, unless the user or the process is against it. Once
// the settings are read.
void decide_on_workers();

// Before and after a pause of an OpenMP runtime, which ends its own threads: kept ones that wait
// end, too. Returns when they have.
void end_idle_workers();

}  // namespace nestbind::placement
