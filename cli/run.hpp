// SPDX-License-Identifier: BSD-3-Clause
// nestbind run: starts a program with the library preloaded.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

struct RunOptions {
  std::string spec;
  std::vector<std::string> program;  // and its arguments
  std::string report;                // text|json[:FILE]; empty: none
  std::string smt;                   // NESTBIND_SMT; empty: as it is
  std::string cores;                 // NESTBIND_CORES; likewise
  std::string machine;               // NESTBIND_MACHINE; likewise
  std::string sizes;                 // NESTBIND_TEAM_SIZES; likewise
  std::string strict;                // NESTBIND_STRICT; likewise
  std::string runtime;               // native|llvm[:FILE]; empty: native
  std::string library;               // empty: the one of this command
};

// Becomes the program. Returns, with an exit status, only if that cannot be.
int run_command(const RunOptions& options);

}  // namespace nestbind::cli
