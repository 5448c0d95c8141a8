// SPDX-License-Identifier: BSD-3-Clause
// Sources call these functions to set and read team sizes before a fork.
#pragma once

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Gives the calling thread the process's mask until its next fork. Called when an OpenMP runtime
// starts on this thread, before the runtime counts the processors.
void runtime_starts();

// Sets the specification's sizes for the initial thread of a starting runtime. nestbind cannot read
// the settings of a starting runtime.
void runtime_started(const omp::Calls& runtime);

// If `is_late` is true, the program may have chosen a size that nestbind did not see.
void runtime_found(const omp::Calls& runtime, bool is_late);

// Sets the specification's size for the initial thread, once.
bool sizes_before_fork(const omp::Calls& runtime);

// Returns the size of the calling thread's next team. `told` is the size that the runtime reports,
// and may be wrong. If `runtime` is null, uses the first runtime that has started.
int size_at_next_fork(int told, const omp::Calls* runtime = nullptr);

// Restores the runtime's settings that a rule has changed.
void put_sizes_back();
inline void region_is_over() {
  const team::Member* const from = team::t_here.member;
  if (from != nullptr && from->forked != nullptr && from->forked->puts_back) {
    put_sizes_back();
  }
}

void program_chose_size();
// True if the program passes the result of omp_get_max_threads to omp_set_num_threads. PyTorch does
// this in each thread. Then the runtime does not get the call.
bool sets_what_was_told(int threads);

}  // namespace nestbind::placement
