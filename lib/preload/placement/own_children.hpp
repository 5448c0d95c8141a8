// SPDX-License-Identifier: BSD-3-Clause
// Some programs set OMP_NUM_THREADS for their own child processes, for example one child for each
// core. In a child that runs its parent's executable with the same specification, the value wins
// over the specification's sizes if the parent was started with another value. It wins at all
// levels, and in processes that the child starts, too. A child cannot find out what its parent was
// after the parent has ended. So a parent sets one more variable for a child that it executes.
// Shells and launchers do not: there a user has set OMP_NUM_THREADS.
#pragma once

#include "spec/spec.hpp"

namespace nestbind::placement {

// The process was started with this specification. The object has to stay valid.
void note_first_specification(const spec::Spec& spec);

// A program that is about to be executed. The fields are those of execveat, if not said otherwise.
struct Executed {
  int folder;
  const char* name;
  int flags;
  bool is_searched;  // a name without a slash is searched for along PATH
  bool is_child;     // a new process is made to execute it
};

// The value of OMP_NUM_THREADS that wins in a program executed with this environment, if the
// program has to be told; otherwise null. Works in a child of vfork, too.
const char* threads_to_tell(const Executed& executed, char* const* environment);

// For that program: `more` gets the entries of `environment` and one more, which tells the program
// the value. The text of this entry is written to `text`.
inline constexpr int kMostTold = 96;
inline constexpr int kEntriesMore = 2;  // the new entry and the null
unsigned entries_of(char* const* environment);
void tell_threads(const char* threads, char* const* environment, char (&text)[kMostTold],
                  char** more);

// For a child that executes nothing and whose OpenMP runtime has started: lets OMP_NUM_THREADS win
// if the parent was started with another value.
void let_own_threads_win();

}  // namespace nestbind::placement
