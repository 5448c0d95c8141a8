// SPDX-License-Identifier: BSD-3-Clause
// Starts a program as a child, and watches it until it ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "memory/wish/wish.hpp"

namespace nestbind::cli {

struct WatchedRun : nestbind::memory::Wish {
  // The processors of each member of the initial thread's team, by the specification.
  std::vector<std::vector<int>> team;
};

// The run that a valid value of NESTBIND_MEMORY asks for. Replaces %h, %p, %r and %% in file names.
WatchedRun watched_run_of(const std::string& wish);

// Runs `become` in a child. `become` executes the program, or returns an exit status if that fails.
// Returns the program's exit status, or ends by the program's signal.
int run_watched(const WatchedRun& run, const std::string& program,
                const std::function<int()>& become);

// Looks at a running process: once, or for `run.seconds` if it is not 0. Writes to standard output.
int watch_running(const WatchedRun& run, int process);

}  // namespace nestbind::cli
