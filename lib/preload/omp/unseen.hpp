// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes that the process has started with, and whose forks nobody hears of; and whether
// we were loaded in time to hear of any.
#pragma once

namespace nestbind::omp {

// Whether there is any runtime when the process starts, seen or not. Shells and interpreters have
// none. Reads the program's file where no other way tells.
bool has_runtime_at_start();

// Why a runtime cannot be seen.
struct Unseen {
  const char* why;  // about the program, as "is on an OpenMP runtime that ..."
  // What can be done so that teams are bound, and so that loops are shared;
  // empty: nothing better than what is said.
  const char* remedy_for_teams;
  const char* remedy_for_loops;
  bool is_contained = false;  // in the program, which calls it directly
};

// What we stand before in a process.
enum class Purpose { kTeams, kLoops };

// Where the loader finds functions of libraries before ours that have to stand before them: those
// of GCC's runtime, for loops of LLVM's too, which starts a tool wherever that is; for teams those
// of the C library too, which are in time only where the program itself is linked with us, or we
// are preloaded. Null where ours come first.
const Unseen* late(Purpose purpose);

// Of a runtime that the process has started with; null where it can be seen, or where that cannot
// be told at once: of a program without a runtime no more is read than who it calls.
const Unseen* unseen_at_once();

// The same, told thoroughly.
const Unseen* unseen_at_start();

}  // namespace nestbind::omp
