// SPDX-License-Identifier: BSD-3-Clause
// Starts a program as a child, and watches it until it ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "memory/wish/wish.hpp"

namespace nestbind::cli {

struct WatchedRun : nestbind::memory::Wish {
  // The processors of each member of the initial thread's team, according to the specification.
  std::vector<std::vector<int>> team;
};

// Returns the run for a valid value of NESTBIND_MEMORY.
WatchedRun watched_run_of(const std::string& wish);

// Runs `become` in a child and watches it. `become` executes the program, or returns an exit status
// if that fails. Returns the program's exit status, or ends by the program's signal.
int run_watched(const WatchedRun& run, const std::string& program,
                const std::function<int()>& become);

// Looks at a running process once, or for `run.seconds` if this is not 0.
int watch_running(const WatchedRun& run, int process);

}  // namespace nestbind::cli
