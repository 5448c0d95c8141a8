// SPDX-License-Identifier: BSD-3-Clause
// What sources tell and ask of team sizes, before there is a fork.
#pragma once

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::placement {

// An OpenMP runtime starts on the calling thread, and is about to count the processors: the thread
// has the process's mask until its next fork.
void runtime_starts();

// An OpenMP runtime starts, and its settings can be changed, but not yet asked: gives its initial
// thread the specification's sizes. Called on that thread.
void runtime_started(const omp::Calls& runtime);

// The same of one that is found started. is_late: after the program's own code may have run, which
// may have chosen a size behind our back.
void runtime_found(const omp::Calls& runtime, bool is_late);

// The program asks for the size of its next team: the initial thread has the specification's from
// then on, if it has not yet. After the start of the runtime. Returns whether it had to be given.
bool sizes_before_fork(const omp::Calls& runtime);

// The size that the calling thread will get when it forks, and has not got yet, of a runtime's that
// says `told`; otherwise `told`. runtime null: the one that has started.
int size_at_next_fork(int told, const omp::Calls* runtime = nullptr);

// A region is over on its encountering thread, which is where it forked: what a rule has set for it
// in the runtime is as it was. For sources that hear of that later than of its members' end.
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
