// SPDX-License-Identifier: BSD-3-Clause
// Which OpenMP runtimes a program loads, and which of nestbind's hooks will hear of their forks.
#pragma once

#include <vector>

#include "cli/elf.hpp"
#include "cli/findings.hpp"
#include "cli/loaded_libraries.hpp"

namespace nestbind::cli {

enum class Forks {
  kSeen,     // a hook will hear of them
  kUnknown,  // none is to be expected of the program itself, but perhaps of what it loads or starts
  kUnseen    // a problem, which has been written down
};

// Writes down the runtimes and the hooks. is_interpreter: of a script, whose work may be done by
// the programs that it starts.
Forks examine_hooks(const ElfFile& program, bool is_interpreter,
                    const std::vector<LoadedLibrary>& libraries, Findings& findings);

}  // namespace nestbind::cli
