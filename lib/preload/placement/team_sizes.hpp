// SPDX-License-Identifier: BSD-3-Clause
// What sources report and ask about team sizes before a fork.
#pragma once

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Gives the calling thread the process's mask until its next fork. Called when an OpenMP runtime
// starts on this thread, before the runtime counts the processors.
void runtime_starts();

// Sets the specification's sizes for the calling thread, which is the initial thread of a runtime
// that starts. At this time the runtime's settings can be changed, but not yet read.
void runtime_started(const omp::Calls& runtime);

// Like runtime_started(), for a runtime that has already started. is_late: the program's own code
// may have run, and may have chosen a size that we did not see.
void runtime_found(const omp::Calls& runtime, bool is_late);

// Sets the specification's size for the initial thread, once. Called when the program asks for the
// size of its next team, after the runtime has started. Returns whether this call has set the size.
bool sizes_before_fork(const omp::Calls& runtime);

// Returns the size of the calling thread's next team. told: the size that the runtime reports,
// which may be wrong. A null `runtime` means the first runtime that has started.
int size_at_next_fork(int told, const omp::Calls* runtime = nullptr);

// Restores the runtime's settings that a rule has changed. Called on the encountering thread after
// a region. The calling sources see a region's end later than its members' ends.
void put_sizes_back();
inline void region_is_over() {
  const team::Member* const from = team::t_here.member;
  if (from != nullptr && from->forked != nullptr && from->forked->puts_back) {
    put_sizes_back();
  }
}

// Called when the program calls omp_set_num_threads on this thread.
void program_chose_size();
// Whether the program passes the result of omp_get_max_threads to omp_set_num_threads, as PyTorch
// does in each thread. The runtime does not get the call, so the size of the thread's part stays.
bool sets_what_was_told(int threads);

}  // namespace nestbind::placement
