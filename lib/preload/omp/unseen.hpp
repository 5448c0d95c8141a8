// SPDX-License-Identifier: BSD-3-Clause
// Finds OpenMP runtimes whose forks nestbind cannot see. Also finds out whether libnestbind was
// loaded early enough.
#pragma once

namespace nestbind::omp {

bool has_runtime_at_start();

struct Unseen {
  const char* why;  // what the program does: "loads the C library before libnestbind"
  // What the user can do to bind teams or to share loops. Empty if there is no advice.
  const char* remedy_for_teams;
  const char* remedy_for_loops;
  bool is_contained = false;  // the runtime is in the program, which calls it directly
};

enum class Purpose { kTeams, kLoops };

// Returns null if libnestbind was loaded early enough for this purpose. Otherwise says which
// library comes before ours. Teams of LLVM's runtime need no order, because the runtime starts our
// OMPT tool.
const Unseen* late(Purpose purpose);

// Returns why nestbind cannot see the forks of the process's runtime. Returns null if the forks can
// be seen, or if a longer search is needed.
const Unseen* unseen_at_once();

// Like unseen_at_once(), but always finds the answer, and reads the program's file if necessary.
const Unseen* unseen_at_start();

// In a process without a specification, hides the runtimes' functions that libnestbind.so exports,
// so that the loader finds the runtimes' own ones.
void hide_entries();

// Undoes hide_entries(). Warns of libraries that were loaded in the meantime.
void show_entries();

}  // namespace nestbind::omp
