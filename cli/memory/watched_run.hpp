// SPDX-License-Identifier: BSD-3-Clause
// A program that is started as a child and watched from here, to its end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nestbind::cli {

struct WatchedRun {
  bool is_apply = false;
  std::uint64_t least = 0;  // bytes of a region that is told of
  int seconds = 0;          // 0: to the end
  bool is_json = false;
  std::string output;  // a file; empty: the standard error output
  // The processors of the members of the team that the initial thread forks by a specification.
  std::vector<std::vector<int>> team;
};

// Of NESTBIND_MEMORY's words, which are good. %h, %p and %r in the file's name are filled in when
// the report is written.
WatchedRun watched_run_of(const std::string& wish);

// become: in the child, becomes the program, and returns only if that cannot be, with an exit
// status. Returns the program's own, or ends by its signal.
int run_watched(const WatchedRun& run, const std::string& program,
                const std::function<int()>& become);

// Looks at a process that runs, and watches it for `run.seconds`, if that is not 0; the report goes
// to the standard output.
int watch_running(const WatchedRun& run, int process);

}  // namespace nestbind::cli
