// SPDX-License-Identifier: BSD-3-Clause
// What sources report and ask about team sizes before a fork.
#pragma once

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// An OpenMP runtime starts on the calling thread, and is about to count the processors. The thread
// gets the process's mask until its next fork.
void runtime_starts();

// An OpenMP runtime starts; its settings can be changed, but not yet read. Gives its initial thread
// the specification's sizes. Called on that thread.
void runtime_started(const omp::Calls& runtime);

// The same for a runtime that is found already started. is_late: the program's own code may have
// run, and may have chosen a size that we did not see.
void runtime_found(const omp::Calls& runtime, bool is_late);

// The program asks for the size of its next team after the runtime has started. The initial thread
// gets the specification's size, unless it has that. Returns whether the size was given now.
bool sizes_before_fork(const omp::Calls& runtime);

// The size that the calling thread will get when it forks, if that differs from the runtime's
// answer `told`; otherwise `told`. runtime null: the first that has started.
int size_at_next_fork(int told, const omp::Calls* runtime = nullptr);

// A region is over, and its encountering thread is back where it forked: restores what a rule has
// set in the runtime. For sources that see this end later than the members' ends.
void put_sizes_back();
inline void region_is_over() {
  const team::Member* const from = team::t_here.member;
  if (from != nullptr && from->forked != nullptr && from->forked->puts_back) {
    put_sizes_back();
  }
}

// The program calls omp_set_num_threads on the calling thread.
void program_chose_size();
// Whether it sets what omp_get_max_threads has told it, as PyTorch does in each thread. Such a call
// chooses nothing: it is not passed on, and the size of the root thread's part holds.
bool sets_what_was_told(int threads);

}  // namespace nestbind::placement
