// SPDX-License-Identifier: BSD-3-Clause
// Counts the threads that OpenMP runtimes made, and decides what depends on that number.
#pragma once

#include <pthread.h>

namespace nestbind::workers {

struct Terms {
  int processors = 1;     // processors that the process may use
  unsigned patience = 0;  // how often a waiting worker looks for a call before it sleeps
  int idle_seconds = 5;   // a waiting worker ends after so many seconds
  bool spins_on = false;  // spins all these seconds, if each thread has a processor
};

// From now on workers are kept. Must be called before any worker is kept.
void keep_workers(const Terms& terms);
const Terms& terms();
void set_processors(int processors);  // the process may use other processors now
bool workers_are_kept();

// Adds a number of threads; negative: they have ended.
void count_threads(int change);

// Counts one more kept worker, which is created with these attributes. Returns false if enough
// workers are kept: eight for each processor, and at least 64, but fewer near a limit (limits.hpp).
bool count_worker(const pthread_attr_t* attributes);
void uncount_worker();
int kept_workers();

// Whether each thread has a processor of its own: only then may a waiting thread spin.
bool threads_fit();

void keep_no_more();

// The process is about to exit. Workers stay as they are: the program's thread-local destructors
// must not run on them while static destructors run.
void begin_exit();
bool is_exiting();

// For a forked child, in which only the calling thread exists.
void count_anew();

}  // namespace nestbind::workers
