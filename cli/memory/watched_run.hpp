// SPDX-License-Identifier: BSD-3-Clause
// Starts a program as a child, and watches it until it ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "memory/wish/wish.hpp"

namespace nestbind::cli {

struct WatchedRun : nestbind::memory::Wish {
  // The processors of the members of the team that the initial thread forks by a specification.
  std::vector<std::vector<int>> team;
};

// From the words of NESTBIND_MEMORY, which must be valid. Replaces %h, %p, %r and %% in the file's
// name.
WatchedRun watched_run_of(const std::string& wish);

// become: called in the child; becomes the program, or returns an exit status if that fails.
// Returns the program's exit status, or ends by the program's signal.
int run_watched(const WatchedRun& run, const std::string& program,
                const std::function<int()>& become);

// Looks at a running process: once, or for `run.seconds` if not 0. Reports to the standard output.
int watch_running(const WatchedRun& run, int process);

}  // namespace nestbind::cli
