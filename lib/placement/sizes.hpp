// SPDX-License-Identifier: BSD-3-Clause
// What sources tell and ask of team sizes, before there is a fork.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::placement {

// An OpenMP runtime starts on the calling thread, and is about to count the processors: the thread
// has the process's mask until its next fork.
void runtime_starts();

// An OpenMP runtime has started, or is found started, and its settings can be changed: gives its
// initial thread the specification's sizes. Called on that thread.
void runtime_started(const omp::Calls& runtime);

// The program asks for the size of its next team: the initial thread has the specification's from
// then on, if it has not yet. Behind the start of the runtime. Returns whether it had to be given.
bool sizes_before_fork(const omp::Calls& runtime);

// The program has called omp_set_num_threads on the calling thread.
void program_chose_size();

}  // namespace nestbind::placement
