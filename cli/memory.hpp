// SPDX-License-Identifier: BSD-3-Clause
// nestbind memory: starts a program, and tells at its end where its memory is and who uses it.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

struct MemoryOptions {
  std::vector<std::string> program;  // and its arguments
  std::string least;                 // regions that are told of, such as 64M; empty: as usual
  int seconds = 0;                   // watch so long only; 0: to the end
  bool json = false;
  std::string output;   // a file; empty: the standard error output
  std::string library;  // empty: the one of this command
};

// Returns the program's exit status, as a shell tells it.
int memory_command(const MemoryOptions& options);

}  // namespace nestbind::cli
