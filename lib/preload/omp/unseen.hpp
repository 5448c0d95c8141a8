// SPDX-License-Identifier: BSD-3-Clause
// At the process's start, finds loaded OpenMP runtimes with forks that no source reports.
// Also finds out whether libnestbind was loaded early enough.
#pragma once

namespace nestbind::omp {

// Whether any OpenMP runtime is loaded at the process's start. Shells and interpreters load no
// runtime. Reads the program's file if nothing else gives the answer.
bool has_runtime_at_start();

// Why a runtime's forks cannot be seen.
struct Unseen {
  const char* why;  // what the program does: "loads the C library before libnestbind"
  // What the user can do to bind teams or to share loops. Empty if there is no advice.
  const char* remedy_for_teams;
  const char* remedy_for_loops;
  bool is_contained = false;  // the runtime is in the program, which calls it directly
};

// The purpose of the functions that we replace.
enum class Purpose { kTeams, kLoops };

// Returns null if our functions come first in the loader's order. Otherwise says which library
// comes before ours: GCC's runtime, LLVM's runtime (only for loops) or the C library (only for
// teams). For teams, LLVM's runtime may come first, because it starts our OMPT tool in any order.
// The C library comes after us only if the program itself is linked with us, or we are preloaded.
const Unseen* late(Purpose purpose);

// Returns why the forks of the runtime at the process's start cannot be seen. Returns null if the
// forks can be seen, or if a longer search is needed. Without a runtime, this function reads only
// the program's imports.
const Unseen* unseen_at_once();

// Like unseen_at_once(), but always finds the answer, and reads the program's file if necessary.
const Unseen* unseen_at_start();

}  // namespace nestbind::omp
