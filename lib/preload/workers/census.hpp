// SPDX-License-Identifier: BSD-3-Clause
// How many threads there are, as far as OpenMP runtimes made them, and what follows from that.
#pragma once

#include <pthread.h>

namespace nestbind::workers {

struct Terms {
  int processors = 1;     // that the process may use
  unsigned patience = 0;  // how often a waiting worker looks before it sleeps
  int idle_seconds = 5;   // after which a waiting worker ends
  bool spins_on = false;  // until then, and looks so often between two looks at the clock
};

// From then on workers are kept. Before any is.
void keep_workers(const Terms& terms);
const Terms& terms();
void set_processors(int processors);  // the process may use others now
bool workers_are_kept();

// Threads come (positive) or go.
void count_threads(int change);

// Counts one more kept worker, which is created with these attributes. Returns false where there
// are as many as shall be kept: eight for each processor, and never fewer than 64; fewer where
// limits (limits.hpp) are near.
bool count_worker(const pthread_attr_t* attributes);
void uncount_worker();
int kept_workers();

// Whether all threads have a processor each: only then a waiting thread may spin.
bool threads_fit();

// From then on no further worker is kept.
void keep_no_more();

// The process is about to exit: workers stay as they are, so that none runs the program's
// thread-local destructors beside its static ones.
void begin_exit();
bool is_exiting();

// In a forked child, which has only the calling thread.
void count_anew();

}  // namespace nestbind::workers
