// SPDX-License-Identifier: BSD-3-Clause
// What sources report and ask about team sizes before a fork.
#pragma once

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// Called when an OpenMP runtime starts on the calling thread, before it counts the processors. The
// thread gets the process's mask until its next fork.
void runtime_starts();

// Called on the initial thread of a runtime that starts: the runtime's settings can be changed, but
// not yet read. Gives the thread the specification's sizes.
void runtime_started(const omp::Calls& runtime);

// Like runtime_started(), for a runtime that has already started. is_late: the program's own code
// may have run, and may have chosen a size that we did not see.
void runtime_found(const omp::Calls& runtime, bool is_late);

// Called when the program asks for the size of its next team, after the runtime has started. Gives
// the initial thread the specification's size, once. Returns whether the size was given now.
bool sizes_before_fork(const omp::Calls& runtime);

// The size of the calling thread's next team. told: the runtime's answer, which may be wrong.
// runtime null: the first runtime that has started.
int size_at_next_fork(int told, const omp::Calls* runtime = nullptr);

// Called on the encountering thread after a region: restores the settings of the runtime that a
// rule has changed. For sources that see the end of a region later than the ends of its members.
void put_sizes_back();
inline void region_is_over() {
  const team::Member* const from = team::t_here.member;
  if (from != nullptr && from->forked != nullptr && from->forked->puts_back) {
    put_sizes_back();
  }
}

// Called when the program calls omp_set_num_threads on this thread.
void program_chose_size();
// Whether the program passes to omp_set_num_threads what omp_get_max_threads has returned, as
// PyTorch does in each thread. Such a call is not passed on: the size of the part stays.
bool sets_what_was_told(int threads);

}  // namespace nestbind::placement
