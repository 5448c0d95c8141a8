// SPDX-License-Identifier: BSD-3-Clause
// Which source reports which forks. Several sources may report one fork: a program instrumented by
// OPARI fires POMP and GOMP, or POMP and OMPT, each time. One source acts, and the others do not.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

enum class Source { kGomp, kOmpt, kPomp };

// The facts that a source knows at the time of the decision.
struct Facts {
  bool is_reachable = true;    // the runtime's own functions can be called
  bool is_gnu = false;         // the runtime is GCC's
  bool is_by_entries = false;  // LLVM's, with forks by GCC's entries
  bool is_told = false;        // another source has reported the team member's region
};

// In the order of the checks.
enum class Why {
  kUnreachable,   // the runtime's functions cannot be called
  kOtherTold,     // another source was first
  kEntries,       // all forks come by GCC's entries
  kOnlyTool,      // the tool interface reports the forks of LLVM's and Intel's runtimes
  kOnlyEntries,   // GCC's runtime has no tool interface
  kNoOtherSource  // no other source reports this runtime's forks
};

struct Verdict {
  bool acts;
  Why why;
};

Verdict who_acts(Source source, const Facts& facts);

// From now on GCC's entries report all forks of this runtime. Its tool interface is not needed, and
// would cost each fork and each barrier a little. False: another source has noted the runtime.
bool tell_by_entries(const Calls& runtime);

// The calls under which GCC's entries report the forks of this runtime; null: they do not.
const Calls* told_by_entries(const Calls& runtime);

// Whether to use LLVM's runtime for GCC's (NESTBIND_RUNTIME=llvm). Known after a specification.
bool llvm_is_wanted();

// Warns once if the user wants another runtime (NESTBIND_RUNTIME=llvm) than the one by which the
// calling thread forks, or will fork. The command has checked the runtimes at the program's start;
// this checks later ones. Takes the loader's lock only if the variable is set.
void check_wanted(const Calls& runtime);

}  // namespace nestbind::omp
