// SPDX-License-Identifier: BSD-3-Clause
// Which source tells of whose forks. A fork may come by several: a program that OPARI has
// instrumented fires POMP and GOMP, or POMP and OMPT, for each region. One acts, the others stand
// back.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::omp {

enum class Source { kGomp, kOmpt, kPomp };

// What a source knows when it has to be decided.
struct Facts {
  bool is_reachable = true;    // the runtime's own functions can be called
  bool is_gnu = false;         // the runtime is GCC's
  bool is_by_entries = false;  // LLVM's, whose forks all come by GCC's entries (tell_by_entries)
  bool is_told = false;        // another source has told of the region that a member is in
};

// In the order in which they are looked at.
enum class Why {
  kUnreachable,   // nobody can ask the runtime
  kOtherTold,     // another source has been first
  kEntries,       // all forks come by GCC's entries
  kOnlyTool,      // of LLVM's and Intel's runtimes the tool interface tells
  kOnlyEntries,   // GCC's runtime has no tool interface
  kNoOtherSource  // nobody else tells of this runtime
};

struct Verdict {
  bool acts;
  Why why;
};

// The one decision.
Verdict who_acts(Source source, const Facts& facts);

// From now on GCC's entries tell of all forks of the runtime with these calls: its tool interface,
// which would cost each fork and each barrier a little, is not needed. Returns false where the
// runtime has been told of already.
bool tell_by_entries(const Calls& runtime);

// The calls under which GCC's entries tell of the forks of this runtime; null where they do not.
const Calls* told_by_entries(const Calls& runtime);

// Whether the user wants LLVM's runtime in the place of GCC's (NESTBIND_RUNTIME=llvm). Known when
// something is specified.
bool llvm_is_wanted();

// On a thread that forks, or will, by this runtime: warns, once, if the user wants another
// (NESTBIND_RUNTIME=llvm). The command has looked at what the program starts with; this is for what
// it loads or starts later. Takes the loader's lock where one is wanted, and never otherwise.
void check_wanted(const Calls& runtime);

}  // namespace nestbind::omp
