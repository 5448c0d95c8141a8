// SPDX-License-Identifier: BSD-3-Clause
// Counts the threads that OpenMP runtimes made, and decides what depends on that number.
#pragma once

#include <pthread.h>

namespace nestbind::workers {

struct Terms {
  int processors = 1;     // processors that the process may use
  unsigned patience = 0;  // how often a waiting worker checks for a call before it sleeps
  int idle_seconds = 5;   // a worker ends after it has waited so many seconds
  bool spins_on = false;  // a worker spins for idle_seconds, if each thread has a processor
};

// Makes the process keep workers from now on. Called once, before any worker is kept.
void keep_workers(const Terms& terms);
const Terms& terms();
void set_processors(int processors);  // called when this number changes
bool workers_are_kept();

// Adds `change` to the number of threads. `change` is negative if threads have ended.
void count_threads(int change);

// Counts one more kept worker, which is created with these attributes. Returns false if the limit
// is reached: 8 workers for each processor, or 64 if this number is larger. Near a limit of the
// system, fewer workers are kept (limits.hpp).
bool count_worker(const pthread_attr_t* attributes);
void uncount_worker();
int kept_workers();

// Whether each thread has a processor of its own. Otherwise a waiting thread must not spin.
bool threads_fit();

void keep_no_more();

// Notes that the process is about to exit. From now on no worker begins to run the program's
// thread-local destructors, because static destructors may run at the same time.
void begin_exit();
bool is_exiting();

// Counts again from 1 thread. Called in a forked child, in which only the calling thread exists.
void count_anew();

}  // namespace nestbind::workers
