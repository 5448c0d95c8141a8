// SPDX-License-Identifier: BSD-3-Clause
// nestbind run: starts a program with the library preloaded, or prints what a shell needs for that.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "options/table.hpp"

namespace nestbind::cli {

struct RunOptions {
  std::string spec;                  // empty: none, where there is a schedule of loops
  std::vector<std::string> program;  // and its arguments
  // To be set for the program, in the table's order; empty: as it is.
  std::array<std::string, options::kVariables> values;
  std::string runtime;         // native|llvm[:FILE]; empty: native
  std::string library;         // empty: the one of this command
  std::string cpus;            // list; empty: this process's
  bool names_machine = false;  // the machine is an option's, not a variable's
  bool prints = false;         // the variables, and starts nothing; there may be no program then
};

// Becomes the program. Returns, with an exit status, only if that cannot be, or if it prints.
int run_command(const RunOptions& options);

}  // namespace nestbind::cli
