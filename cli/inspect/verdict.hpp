// SPDX-License-Identifier: BSD-3-Clause
// Whether a program can be bound, and if not why: one judgement for all who ask.
#pragma once

#include <string>
#include <vector>

#include "cli/inspect/elf.hpp"
#include "cli/inspect/loaded_libraries.hpp"
#include "cli/inspect/program.hpp"

namespace nestbind::cli::inspect {

// kQuick: the file's own symbols tell what to expect. kThorough: all of the file is read, and its
// libraries are.
enum class Depth { kQuick, kThorough };

// What a program is judged by.
struct Facts {
  ElfFile file;
  Privileges privileges;
  bool tools_are_disabled = false;  // OMP_TOOL=disabled: LLVM's and Intel's runtimes start no tool
  bool is_interpreter = false;      // of a script, whose work may be done by programs it starts
  Depth depth = Depth::kQuick;
  Listing listing;  // of kThorough
};
Facts facts_of(const std::string& path, Depth depth);

struct Problem {
  enum class Kind {
    kPrivileged,           // the loader ignores LD_PRELOAD. detail: what the program is
    kPrivilegedForOthers,  // the same, but not for the caller, who gains nothing by it
    kUnreadable,           // detail: the system's word for it
    kNotElf,
    kForeign,
    kLibrary,  // not a program
    kStatic,
    kMusl,         // detail: its loader
    kUnlisted,     // its libraries cannot be found out. detail: why
    kMissing,      // detail: the library that is not there
    kNoTools,      // the runtime starts no tool, and there is no other hook
    kContained,    // no hook sees the forks of GCC's runtime in the program itself
    kUnreachable,  // POMP would hear of its forks, and cannot ask it who forks. detail: the
                   // function
    kUnseen,       // no hook sees the forks of the runtime
    kNoRuntime     // and none is loaded later
  };
  Kind kind;
  std::string detail;

  // Not of the start: no hook hears of the forks.
  bool is_of_forks() const { return kind >= Kind::kNoTools; }
};

enum class Forks {
  kUnjudged,
  kUnseen,       // some at least; one of the problems says why
  kSeen,         // a hook will hear of them
  kLoadedLater,  // no runtime yet; one that is loaded later is hooked then
  kStartedLater  // no runtime in the interpreter; what the script starts inherits the preload
};

struct Verdict {
  // Why nothing can be preloaded, why it does not start, or why no hook hears of its forks.
  std::vector<Problem> problems;
  Forks forks = Forks::kUnjudged;
  bool has_runtime = false;
  std::vector<std::string> hooks;  // that will hear of its forks, by name; which stand back
};

// Pure.
Verdict judge(const Facts& facts);

// Whether a program and the libraries that it starts with have no OpenMP runtime, load nothing by
// themselves and start no program: neither a shell nor an interpreter, and there is nothing to
// bind. False where not all of it is known. Pure.
bool has_nothing_to_bind(const ElfFile& program, const Listing& listing);

// The same of a file; its libraries are read only where the program itself does not tell.
bool has_nothing_to_bind(const std::string& path, const ElfFile& program);

// What is said of a problem after the program's name, and what to do, after a semicolon.
std::string words_of(const Problem& problem);
std::string remedy_of(const Problem& problem);

}  // namespace nestbind::cli::inspect
