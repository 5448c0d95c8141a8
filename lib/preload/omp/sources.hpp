// SPDX-License-Identifier: BSD-3-Clause
// Decides which source acts for a fork. Several sources may report one fork. If OPARI has
// instrumented the program, POMP and also GOMP or OMPT report each fork. Only one source acts.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

enum class Source { kGomp, kOmpt, kPomp };

// The facts that a source knows at the time of the decision.
struct Facts {
  bool is_reachable = true;    // the runtime's own functions can be called
  bool is_gnu = false;         // the runtime is GCC's
  bool is_by_entries = false;  // LLVM's runtime, called by GCC's entries
  bool is_told = false;        // another source has reported the team member's region
};

// The reason for a verdict, in the order of the checks.
enum class Why {
  kUnreachable,   // the runtime's functions cannot be called
  kOtherTold,     // another source was first
  kEntries,       // GCC's entries report all forks
  kOnlyTool,      // the tool interface reports the forks of LLVM's and Intel's runtimes
  kOnlyEntries,   // GCC's runtime has no tool interface
  kNoOtherSource  // no other source reports this runtime's forks
};

struct Verdict {
  bool acts;
  Why why;
};

Verdict who_acts(Source source, const Facts& facts);

// Makes GCC's entries report all forks of this runtime. The runtime's tool interface would make
// forks and barriers a little slower. Returns false if another source has noted the runtime.
bool tell_by_entries(const Calls& runtime);

// Returns the record that GCC's entries use for this runtime, or null if they report no forks.
const Calls* told_by_entries(const Calls& runtime);

// Whether to use LLVM's runtime, not GCC's (NESTBIND_RUNTIME=llvm). Call it after the settings are
// read.
bool llvm_is_wanted();

// Warns once if the user wants LLVM's runtime (NESTBIND_RUNTIME=llvm), but the calling thread
// forks, or will fork, by another runtime. The command has already checked the runtimes that are
// loaded at the program's start. Takes the loader's lock only if NESTBIND_RUNTIME is set.
void check_wanted(const Calls& runtime);

}  // namespace nestbind::omp
