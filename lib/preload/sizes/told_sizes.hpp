// SPDX-License-Identifier: BSD-3-Clause
// The sizes that root threads are told. Sources of forks call the functions below.
//
// A process tells all its root threads the same size of their outermost teams, and the same maximum
// of active levels, from the first question to the end. Threads that come and go, root threads,
// parts of the machine and other processes change nothing. Only the program can change what it was
// told: by omp_set_num_threads (for the calling thread), by omp_set_nesting_info (for all threads),
// or by another mask of the process (for sizes that are words).
//
// The first process with a specification says the numbers in its environment, too
// (options/said_sizes.hpp), for runtimes that start later, and for child processes.
#pragma once

#include "places/place.hpp"

namespace nestbind::placement {

// What root threads are told. The sizes never change after they are counted.
struct Told {
  const Told* earlier = nullptr;
  unsigned serial = 0;  // the number of the specification; never 0
  // 0: the runtime's own size.
  int threads = 0;
  int levels = 0;
  bool is_specified = false;  // the specification has the size of the outermost team
};

extern std::atomic<const Told*> g_told;  // null: not yet counted

// True if the thread has been told the present sizes in this runtime.
inline bool is_told(const binding::Thread& thread, const omp::Calls& runtime) {
  const binding::Sized& first = thread.sized[0];
  return first.runtime == &runtime && first.told != nullptr &&
         first.told == g_told.load(std::memory_order_acquire);
}

// Tells the calling thread, which is outside of regions. Does nothing if it was told already.
void tell_sizes(const omp::Calls& runtime);

// Another specification is in force for all threads. The calling thread is told at once.
void specification_has_changed();

// Says the sizes of the specification in the environment, unless nestbind has said sizes already.
void say_in_environment(const spec::Spec& spec);

void forget_told_in_child();

// Tells the initial thread of a starting runtime. nestbind cannot read the settings of a starting
// runtime.
void runtime_started(const omp::Calls& runtime);

void runtime_found(const omp::Calls& runtime);

// Returns the size of the calling thread's next team. `told` is the size that the runtime reports.
// `runtime` is null if it is not known which runtime has answered.
int size_at_next_fork(int told, const omp::Calls* runtime);

void program_chose_size();

}  // namespace nestbind::placement
