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

WatchedRun watched_run_of(const std::string& wish);

// Runs `become` in a child and watches the child. `become` executes the program. If this fails,
// `become` returns an exit status. Returns the child's exit status. If a signal has killed the
// child, the same signal kills this process.
int run_watched(const WatchedRun& run, const std::string& program,
                const std::function<int()>& become);

// Watches a running process for `run.seconds`. If `run.seconds` is 0, looks only once.
int watch_running(const WatchedRun& run, int process);

}  // namespace nestbind::cli
