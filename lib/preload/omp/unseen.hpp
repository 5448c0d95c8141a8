// SPDX-License-Identifier: BSD-3-Clause
// Finds OpenMP runtimes that are loaded at the process's start and whose forks no source reports.
// Also finds out whether libnestbind was loaded early enough.
#pragma once

namespace nestbind::omp {

// Whether any OpenMP runtime is loaded at the process's start. Shells and interpreters load none.
// Reads the program's file if nothing else gives the answer.
bool has_runtime_at_start();

// Why a runtime's forks cannot be seen.
struct Unseen {
  const char* why;  // what the program does: "loads the C library before libnestbind"
  // Advice for the user, so that teams are bound or loops are shared; empty: no advice.
  const char* remedy_for_teams;
  const char* remedy_for_loops;
  bool is_contained = false;  // the runtime is in the program, which calls it directly
};

// The purpose of the functions that we replace.
enum class Purpose { kTeams, kLoops };

// Returns null if our functions come first in the loader's order. Otherwise says which library
// comes before ours: GCC's runtime; for loops also LLVM's runtime; for teams also the C library.
// For teams, LLVM's runtime may come first, because it starts our OMPT tool in any order. The C
// library comes after us only if the program itself is linked with us, or we are preloaded.
const Unseen* late(Purpose purpose);

// Returns why the forks of the runtime at the process's start cannot be seen. Returns null if they
// can be seen, or if the answer would take longer. Without a runtime, reads only the program's
// imports.
const Unseen* unseen_at_once();

// Like unseen_at_once(), but always finds the answer, and reads the program's file if necessary.
const Unseen* unseen_at_start();

}  // namespace nestbind::omp
