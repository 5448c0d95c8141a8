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

// Called once, before any worker is kept.
void keep_workers(const Terms& terms);
const Terms& terms();
void set_processors(int processors);
bool workers_are_kept();

void count_threads(int change);

// Returns false if the limit is reached: 8 workers for each processor, or 64 if this number is
// larger. Near a limit of the system, fewer workers are kept (limits.hpp).
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

}  // namespace nestbind::workers
