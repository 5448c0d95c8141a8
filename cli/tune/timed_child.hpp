// SPDX-License-Identifier: BSD-3-Clause
// Runs a program as a child, measures its time, and ends it if necessary.
#pragma once

#include <signal.h>

#include <functional>
#include <string>
#include <vector>

namespace nestbind::cli::tune {

struct Start {
  std::vector<std::string> words;  // the program (searched for in PATH) and its arguments
  std::vector<std::string> environment;
  std::string input;
  std::string output;
  std::string error;
};

struct Ended {
  enum class How {
    kExited,     // number: the exit status
    kSignalled,  // number: the signal
    kTimedOut,
    kStopped,      // number: SIGTTIN or SIGTTOU
    kInterrupted,  // number: the signal that this process got
    kDisturbed,    // this process and the child were stopped and continued during the run
    kNotStarted    // number: errno
  };
  How how = How::kNotStarted;
  int number = 0;
  double seconds = 0;  // real time from the fork until this process noticed the end
};

// Blocks the signals for which run() waits.
class Children {
 public:
  Children();
  ~Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Runs a program in its own process group until it ends. After `patience` seconds (0: never) the
  // group gets SIGTERM. A signal that asks this process to end has the same effect. Two seconds
  // later, or at another such signal, the group gets SIGKILL. Calls `tick` at least once a second.
  Ended run(const Start& start, double patience, const std::function<void()>& tick);

 private:
  sigset_t waited_{};
  sigset_t before_{};
  struct sigaction child_before_{};
};

}  // namespace nestbind::cli::tune
