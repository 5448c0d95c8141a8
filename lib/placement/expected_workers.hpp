// SPDX-License-Identifier: BSD-3-Clause
// Workers that an OpenMP runtime creates inside a fork. New ones begin where they are planned;
// otherwise they would begin where their creator is, and wait there until it sleeps. Those of inner
// teams, which end with their team, are kept instead (lib/workers).
#pragma once

#include "mask/cpu_mask.hpp"
#include "omp/calls.hpp"
#include "workers/worker.hpp"

namespace nestbind::workers {
struct Crew;  // opaque to sources
}

namespace nestbind::placement {

struct Place;

// On the encountering thread, behind fork_begin: the team that is asked for. Only a hint:
// member_begin decides. Returns the crew that the workers of an inner team come from; null: they
// are new threads.
workers::Crew* expect_workers(const Place* parent, int size, const omp::Calls& runtime);

// On the encountering thread, when that fork's team has ended: its workers wait for the next.
void workers_return(workers::Crew* crew);

// Whether a thread that the calling one creates, and that begins there, is such a worker.
bool is_expected_worker(workers::Start* start);

// Whether code is that of an OpenMP runtime's worker: it is bound when it joins a team. A runtime
// linked into the program itself cannot be told from the program.
bool is_worker(workers::Start* start);

// On its master, for a worker that is a new thread: its mask, as it is planned; no bits: not known.
// The master goes to its own place, for it waits for its workers.
mask::CpuMask mask_for_new_worker();

// Gives the runtime such a worker, by `create` where it is a new thread. Returns what
// pthread_create would.
int provide_worker(const workers::Request& request, workers::CreateThread* create);

}  // namespace nestbind::placement
