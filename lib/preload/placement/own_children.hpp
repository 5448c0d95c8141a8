// SPDX-License-Identifier: BSD-3-Clause
// OMP_NUM_THREADS that a program sets for processes of its own, as those do that start one for each
// core: in a child that runs its parent's own executable with the same specification, another value
// than the parent was started with wins over the specification's sizes, at all levels, and in what
// that child starts. Of a child that is executed its parent tells, by a variable more, for a child
// cannot know what its parent is, once that has ended. Not of what shells and launchers start:
// there a user has set the variable.
#pragma once

#include "spec/spec.hpp"

namespace nestbind::placement {

// The process was started with this specification, which stays where it is.
void note_first_specification(const spec::Spec& spec);

// A program that is about to be executed, named as in execveat.
struct Executed {
  int folder;
  const char* name;
  int flags;
  bool is_searched;  // along PATH, where the name has no slash
  bool is_child;     // by a process that is made for it
};

// The value of OMP_NUM_THREADS which wins in the program that is executed with this environment,
// where it has to be told; null otherwise. Also in a child of vfork.
const char* threads_to_tell(const Executed& executed, char* const* environment);

// For that program: `more` gets the same environment with the variable that tells it, which is
// written to `text`.
inline constexpr int kMostTold = 96;
inline constexpr int kEntriesMore = 2;  // that one, and the null
unsigned entries_of(char* const* environment);
void tell_threads(const char* threads, char* const* environment, char (&text)[kMostTold],
                  char** more);

// In a child that executes nothing, whose OpenMP runtime has started there: lets the variable win,
// if somebody has changed it since the fork or for it.
void let_own_threads_win();

}  // namespace nestbind::placement
