// SPDX-License-Identifier: BSD-3-Clause
// Some programs set OMP_NUM_THREADS for their own child processes, for example one child for each
// core. The value wins over the specification's sizes if the child runs its parent's executable
// with the same specification, and the parent was started with another value. It wins at all
// levels, and also in processes that the child starts. After the parent has ended, a child cannot
// find out the parent's executable. So a parent sets another variable for a child that it executes.
// Shells and launchers do not set this variable, because there the user has set OMP_NUM_THREADS.
#pragma once

#include "spec/spec.hpp"

namespace nestbind::placement {

// Remembers the specification that the process was started with. `spec` must stay valid.
void note_first_specification(const spec::Spec& spec);

// A program that is about to be executed. Fields without a comment are as for execveat.
struct Executed {
  int folder;
  const char* name;
  int flags;
  bool is_searched;  // a name without a slash is searched for along PATH
  bool is_child;     // a new process executes it
};

// The value of OMP_NUM_THREADS that wins in a program executed with this environment; null: no
// value wins, or the program itself finds out that its value wins. Works in a child of vfork, too.
const char* threads_to_tell(const Executed& executed, char* const* environment);

// Writes to `more` the entries of `environment`, and a new entry with this value, stored in `text`.
inline constexpr int kMostTold = 96;
inline constexpr int kEntriesMore = 2;  // the new entry and the null
unsigned entries_of(char* const* environment);
void tell_threads(const char* threads, char* const* environment, char (&text)[kMostTold],
                  char** more);

// For a forked child that executes no program and whose OpenMP runtime has started: lets
// OMP_NUM_THREADS win if the parent was started with another value.
void let_own_threads_win();

}  // namespace nestbind::placement
