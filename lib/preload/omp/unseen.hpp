// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes that are loaded at the process's start and whose forks no source reports; and
// whether we were loaded early enough.
#pragma once

namespace nestbind::omp {

// Whether the process starts with an OpenMP runtime, seen or not; shells and interpreters do not.
// Reads the program's file if nothing else gives the answer.
bool has_runtime_at_start();

// Why a runtime's forks cannot be seen.
struct Unseen {
  const char* why;  // said of the program: "is on an OpenMP runtime that ..."
  // Advice for the user, so that teams are bound or loops are shared; empty: there is none besides
  // `why`.
  const char* remedy_for_teams;
  const char* remedy_for_loops;
  bool is_contained = false;  // the runtime is in the program, which calls it directly
};

// The purpose of the functions that we replace.
enum class Purpose { kTeams, kLoops };

// Null if our functions come first in the loader's order. Otherwise says which library comes before
// ours: GCC's runtime, or for loops LLVM's runtime, or for teams the C library. For teams, LLVM's
// runtime may come first, since it starts our tool anyway. The C library comes after us only if the
// program itself is linked with us, or we are preloaded.
const Unseen* late(Purpose purpose);

// Why the runtime at the process's start cannot be seen; null: it can, or the answer would take
// longer. In a program without a runtime, this reads only the program's imports.
const Unseen* unseen_at_once();

// The same, but reads all that is needed for the answer.
const Unseen* unseen_at_start();

}  // namespace nestbind::omp
