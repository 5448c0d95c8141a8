// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes that the process has started with, and whose forks nobody hears of.
#pragma once

namespace nestbind::omp {

// Whether there is any runtime when the process starts, seen or not. Shells and interpreters have
// none. Reads the program's file where no other way tells.
bool has_runtime_at_start();

// Why a runtime cannot be seen.
struct Unseen {
  const char* why;  // about the program, as "is on an OpenMP runtime that ..."
  // What can be done, behind a semicolon, so that teams are bound, and so that loops are shared;
  // empty: nothing better than what is said.
  const char* remedy_for_teams;
  const char* remedy_for_loops;
};

// Of a runtime that the process has started with; null where it can be seen, or where that cannot
// be told at once: of a program without a runtime no more is read than who it calls.
const Unseen* unseen_at_once();

// The same, told thoroughly.
const Unseen* unseen_at_start();

}  // namespace nestbind::omp
