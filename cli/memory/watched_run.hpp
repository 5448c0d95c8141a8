// SPDX-License-Identifier: BSD-3-Clause
// A program that is started as a child and watched from here, to its end.
#pragma once

#include <functional>
#include <string>

#include "memory/wish/wish.hpp"

namespace nestbind::cli {

// %h, %p and %r in the file's name are filled in when the report is written.
struct WatchedRun : nestbind::memory::Wish {
  bool is_bound = false;  // threads are where a specification has them
};

// Of NESTBIND_MEMORY's words, which are good.
WatchedRun watched_run_of(const std::string& wish);

// become: in the child, becomes the program, and returns only if that cannot be, with an exit
// status. Returns the program's own, or ends by its signal.
int run_watched(const WatchedRun& run, const std::string& program,
                const std::function<int()>& become);

// Looks at a process that runs, and watches it for `run.seconds`, if that is not 0; the report goes
// to the standard output.
int watch_running(const WatchedRun& run, int process);

}  // namespace nestbind::cli
