// SPDX-License-Identifier: BSD-3-Clause
// nestbind memory: starts a program, and tells at its end where its memory is and who uses it; or
// asks one that runs.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

struct MemoryOptions {
  std::vector<std::string> program;  // and its arguments
  std::string least;                 // regions that are told of, such as 64M; empty: as usual
  int process = 0;                   // one that runs, in place of a program; 0: none
  int seconds = 0;                   // watch so long only; 0: to the end
  bool json = false;
  std::string output;   // a file; empty: the standard error output
  std::string library;  // empty: the one of this command
};

// Returns the program's exit status, as a shell tells it.
int memory_command(const MemoryOptions& options);

// Tells of a process that runs. Returns 0, kFailure where nothing can be known of it, or kUsage.
int memory_of_running(const MemoryOptions& options);

}  // namespace nestbind::cli
