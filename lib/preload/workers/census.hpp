// SPDX-License-Identifier: BSD-3-Clause
// Counts the threads that OpenMP runtimes made, and decides what depends on that number.
#pragma once

#include <pthread.h>

namespace nestbind::workers {

struct Terms {
  int processors = 1;
  unsigned patience = 0;  // how often a waiting worker checks for a call before it sleeps
  int idle_seconds = 5;   // after this time, a waiting worker ends
  bool spins_on = false;  // a worker spins for idle_seconds, if each thread has a processor
};

// False with sanitizers and valgrind: they report a race between two regions of a kept thread.
bool may_keep();

// Called once, before any worker is kept.
void keep_workers(const Terms& terms);
const Terms& terms();
void set_processors(int processors);
bool workers_are_kept();

void count_threads(int change);

// Returns false if the limit is reached: 8 workers for each processor, or 64 if this number is
// larger. Near a limit of the system, fewer workers are kept.
bool count_worker(const pthread_attr_t* attributes);
void uncount_worker();
int kept_workers();

bool threads_fit();

void keep_no_more();

// From now on no worker begins to run the program's thread-local destructors, because static
// destructors may run at the same time.
void begin_exit();
bool is_exiting();

// Called in a forked child, in which only the calling thread exists.
void count_anew();

// Computes how many waiting threads may be kept. There are two limits: the process's address space
// (RLIMIT_AS), and the threads in its cgroups (pids.max, versions 1 and 2).
inline constexpr long kUnlimited = 1L << 40;

// Returns how many more threads may be kept, which may be negative. Kept threads must not use more
// than half of the allowed threads (left + kept).
constexpr long more_to_keep(long left, long kept) { return (left - kept) / 2; }

long address_space_left(const pthread_attr_t* attributes);

// `root` is as in support/cgroup.hpp.
long cgroup_threads_left(const char* root = "");

// True if one more thread with this stack may be kept. Then the call counts this thread. `kept` is
// the number of threads that are kept now. The limits are read again after 0.01 s, or if the limit
// of the address space has changed.
bool limits_let_keep(const pthread_attr_t* attributes, int kept);

}  // namespace nestbind::workers
