// SPDX-License-Identifier: BSD-3-Clause
// Workers that an OpenMP runtime creates during a fork. A new worker starts on its planned slot.
// Otherwise the worker would start on the processor of the thread that creates it, and wait until
// this thread sleeps. Workers of inner teams, which the runtime would end with their team, are kept
// (lib/preload/workers).
#pragma once

#include "mask/cpu_mask.hpp"
#include "team/team.hpp"
#include "workers/worker.hpp"

namespace nestbind::placement {

// The encountering thread calls expect_workers() before the fork, and workers_return() after the
// region. `team` has the size that was asked for. The runtime may grant another size.
void expect_workers(team::Team& team);
void workers_return(team::Team& team);

// Whether the calling thread is in a planned fork and has not yet begun as a member.
bool is_forking();

// Whether the thread that is about to be created, and that will run `start`, is an expected worker.
bool is_expected_worker(workers::Start* start);

// Whether `start` is code of an OpenMP runtime. If so, the thread is bound when it joins a team.
// Returns false if the runtime is linked into the program.
bool is_worker(workers::Start* start);

// Returns the planned mask of the worker that is about to be created. Returns a mask without bits
// if the planned mask is not known. Also binds the calling primary thread to its own slot, because
// the primary thread will wait for the worker.
mask::CpuMask mask_for_new_worker();

// Gives the runtime a kept worker, or a worker that `create` makes. Returns 0 or an error number.
int provide_worker(const workers::Request& request, workers::CreateThread* create);

// Makes nestbind keep workers of inner teams, unless a setting or a sanitizer forbids this.
void decide_on_workers();

// Ends the kept workers that wait for work, and returns after they have ended. Called before and
// after omp_pause_resource(_all), which ends the runtime's own threads.
void end_idle_workers();

}  // namespace nestbind::placement
