// SPDX-License-Identifier: BSD-3-Clause
// Some programs set OMP_NUM_THREADS for the child processes that they start. The child must run the
// same executable and have the same specification as its parent. The parent must have been started
// with another value. Then the value "wins": nestbind uses the value instead of the specification's
// sizes. An executed child may not find its parent's executable. So the parent also sets
// NESTBIND_OWN_THREADS to the value.
#pragma once

#include "spec/spec.hpp"

namespace nestbind::placement {

// Remembers the specification that the process was started with. `spec` must stay valid.
void note_first_specification(const spec::Spec& spec);

// Fields without a comment are as for execveat.
struct Executed {
  int folder;
  const char* name;
  int flags;
  bool is_searched;  // a name without a slash is searched for along PATH
  bool is_child;
};

// Returns the value to put into NESTBIND_OWN_THREADS. Returns null if no value wins, or if
// `environment` already has the right value. A child of vfork may call this.
const char* threads_to_tell(const Executed& executed, char* const* environment);

// Copies the entries of `environment` to `more`, and adds an entry with the value `threads`. The
// text of the added entry is in `text`.
inline constexpr int kMostTold = 96;
inline constexpr int kEntriesMore = 2;  // the new entry and the null
unsigned entries_of(char* const* environment);
void tell_threads(const char* threads, char* const* environment, char (&text)[kMostTold],
                  char** more);

// Lets OMP_NUM_THREADS win if the parent was started with another value.
void let_own_threads_win();

}  // namespace nestbind::placement
