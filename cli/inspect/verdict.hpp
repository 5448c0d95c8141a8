// SPDX-License-Identifier: BSD-3-Clause
// Judges whether a program can be bound, and if not why.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/program.hpp"

namespace nestbind::cli::inspect {

// kQuick: reads only symbols of the file. kThorough: reads all of the file, and its libraries.
enum class Depth { kQuick, kThorough };

struct Facts {
  ElfFile file;
  Privileges privileges;
  bool tools_are_disabled = false;  // OMP_TOOL=disabled: LLVM's and Intel's runtimes start no tool
  bool is_interpreter = false;      // runs a script, which may start the programs that do the work
  Depth depth = Depth::kQuick;
  Listing listing;  // for kThorough
};
Facts facts_of(const std::string& path, Depth depth);

struct Problem {
  enum class Kind {
    kPrivileged,           // the loader ignores LD_PRELOAD. detail: what the program is
    kPrivilegedForOthers,  // like kPrivileged, but the caller has these privileges already
    kUnreadable,
    kNotElf,
    kForeign,
    kLibrary,
    kStatic,
    kMusl,
    kUnlisted,  // its libraries cannot be listed. detail: why
    kMissing,
    kNoTools,      // the runtime starts no tool, and there is no other hook
    kContained,    // no hook sees the forks of GCC's runtime in the program itself
    kUnreachable,  // POMP sees the forks, but cannot call this function (detail)
    kUnseen,       // no hook sees the forks of the runtime
    kNoRuntime     // there is no runtime, and none is loaded later
  };
  Kind kind;
  std::string detail;

  // True if the program starts, and no hook sees its forks.
  bool is_of_forks() const { return kind >= Kind::kNoTools; }
};

enum class Forks {
  kUnjudged,
  kUnseen,       // at least some forks are not seen; one of the problems says why
  kSeen,         // a hook will see the forks
  kLoadedLater,  // there is no runtime yet; if one is loaded later, a hook will see its forks
  kStartedLater  // only programs that a script starts may have a runtime
};

struct Verdict {
  std::vector<Problem> problems;
  Forks forks = Forks::kUnjudged;
  bool has_runtime = false;
  std::vector<std::string> hooks;  // hooks that see the forks; only one hook reports forks
};

Verdict judge(const Facts& facts);

// True if the program and its libraries have no OpenMP runtime, load no libraries and start no
// programs. False for shells and interpreters. False if a file or the list of libraries could not
// be read completely.
bool has_nothing_to_bind(const ElfFile& program, const Listing& listing);

bool has_nothing_to_bind(const std::string& path, const ElfFile& program);

// words_of() returns the text after the program's name. remedy_of() returns an advice such as ";
// link it dynamically", or an empty text.
std::string words_of(const Problem& problem);
std::string remedy_of(const Problem& problem);

}  // namespace nestbind::cli::inspect
