// SPDX-License-Identifier: BSD-3-Clause
// Decides which source acts for a fork. Several sources may report one fork. Only one source acts.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

enum class Source { kGomp, kOmpt, kPomp };

struct Facts {
  bool is_reachable = true;  // the runtime's own functions can be called
  bool is_gnu = false;
  bool is_by_entries = false;  // LLVM's runtime, called by GCC's entries
  bool is_told = false;        // another source has reported the team member's region
};

// The reason for a verdict, in the order of the checks.
enum class Why {
  kUnreachable,
  kOtherTold,
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

// Makes GCC's entries report all forks of this runtime, because the runtime's tool interface is
// slower. Returns false if another source has noted the runtime.
bool tell_by_entries(const Calls& runtime);

// Returns the record that tell_by_entries() has stored for this runtime, or null.
const Calls* told_by_entries(const Calls& runtime);

// True if NESTBIND_RUNTIME is "llvm". Call this after the settings are read.
bool llvm_is_wanted();

// Warns once if the user wants LLVM's runtime, but the program uses another runtime. Takes the
// loader's lock only if NESTBIND_RUNTIME is set.
void check_wanted(const Calls& runtime);

}  // namespace nestbind::omp
