// SPDX-License-Identifier: BSD-3-Clause
// A program that is waited for, with the terminal and all files its own.
#pragma once

#include <functional>

namespace nestbind::cli::memory {

struct Ended {
  int status = 0;  // as waitpid tells it
  int error = 0;   // why it could not be made; 0: it could
};

// Runs `become` in a child, whose exit status is what that returns. Signals of the terminal are the
// child's alone to answer; SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are handed on to it.
Ended run_child(const std::function<int()>& become);

bool was_signalled(const Ended& ended);
// The program could not be executed, as a shell tells it: 126 or 127.
bool has_not_started(const Ended& ended);

// Ends as the child did: the same signal, if it was one, without another core file. Otherwise
// returns its exit status.
int end_alike(const Ended& ended);

}  // namespace nestbind::cli::memory
