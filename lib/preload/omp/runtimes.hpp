// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtimes that have started in this process.
#pragma once

#include <stdint.h>

#include "omp/calls.hpp"

namespace nestbind::omp {

// Reports each runtime to the listeners once.
void note_started(const Calls& runtime);

// The thread that starts a runtime calls `started` once, before the runtime's first fork. If a
// runtime has already started, add() calls `started`. add() is not thread-safe.
struct StartListener {
  void (*started)(const Calls& runtime) = nullptr;
  StartListener* next = nullptr;
};
void add(StartListener& listener);

// Returns the runtime with this index (from 0, in the order of their starts), or null.
const Calls* started(int index);

// Two sources may have two Calls objects for one runtime. Returns the object that was noted first.
// If no object was noted, returns `runtime`.
const Calls& known(const Calls& runtime);

bool is_in_runtime(uintptr_t code);

// Recognises a runtime's file by its name, even if the runtime has not started. Asks the loader.
// The program itself may contain the runtime: if `in_program` is true, all code of such a program
// is the runtime's.
bool is_in_file_of_runtime(const void* code, bool in_program);

// Sets a runtime's team sizes for the calling thread.
struct Sizes {
  int threads;
  int levels;
};
Sizes sizes_of(const Calls& runtime);

// `first` is the size of the thread's next team. If a size is 0, the runtime's value stays.
void install_sizes(const Calls& runtime, int first, int levels);

// Restores the initial number of active levels if it is still `levels`. Otherwise each unplanned
// inner team would have a thread for each processor.
void give_levels_back(const Calls& runtime, int levels);

// The sizes that a runtime has by the user's own variables and the process's mask.
//
// `level` is the number of regions around the fork.
int usual_threads(int level);
int usual_levels();
void install_usual_sizes(const Calls& runtime, int level);

// The sizes with which a runtime starts: by the variables as they are, also if nestbind has set
// them.
Sizes first_sizes();

// True if `threads` is the initial size of an outermost team.
bool is_usual(int threads);

// How threads of GCC's runtime wait, by the user's variables: how often they check for work before
// they sleep, and whether they never sleep.
struct Waiting {
  unsigned checks;
  bool is_active;
};
Waiting usual_waiting();

}  // namespace nestbind::omp
