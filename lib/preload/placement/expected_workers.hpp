// SPDX-License-Identifier: BSD-3-Clause
// Workers that an OpenMP runtime creates during a fork. A new worker starts on its planned slot.
// Otherwise the worker starts on its creator's processor, and waits until the creator sleeps.
// Workers of inner teams are kept for later forks (lib/preload/workers).
#pragma once

#include "mask/cpu_mask.hpp"
#include "team/team.hpp"
#include "workers/worker.hpp"

namespace nestbind::placement {

// The encountering thread calls expect_workers() before the fork, and workers_return() after the
// region.
void expect_workers(team::Team& team);
void workers_return(team::Team& team);

// True if the calling thread is forking a planned team.
bool is_forking();

bool is_expected_worker(workers::Start* start);

// Returns the planned mask of the next worker, or no bits if the mask is not known. Also binds the
// calling primary thread to its own slot.
mask::CpuMask mask_for_new_worker();

// Returns 0 or an error number.
int provide_worker(const workers::Request& request, workers::CreateThread* create);

// Makes nestbind keep workers of inner teams, unless a setting or a sanitizer forbids this.
void decide_on_workers();

}  // namespace nestbind::placement
