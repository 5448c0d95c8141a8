// SPDX-License-Identifier: BSD-3-Clause
// Runs a program as a child of this process, measures its time, and ends it if necessary.
#pragma once

#include <signal.h>

#include <functional>
#include <string>
#include <vector>

namespace nestbind::cli::tune {

// The child's arguments and environment, and the files of its output.
struct Start {
  std::vector<std::string> words;        // the program, searched for in PATH, and its arguments
  std::vector<std::string> environment;  // NAME=VALUE
  std::string input;                     // files
  std::string output;
  std::string error;
};

struct Ended {
  enum class How {
    kExited,       // number: the exit status
    kSignalled,    // number: the signal
    kTimedOut,     // it took too long, and was ended
    kStopped,      // the terminal stopped it (number: SIGTTIN or SIGTTOU), and it was ended
    kInterrupted,  // a signal (number) told this process to end, and the child was ended
    kDisturbed,    // this process was stopped and continued during the run, and the child too
    kNotStarted    // number: errno
  };
  How how = How::kNotStarted;
  int number = 0;
  double seconds = 0;  // real time from the fork until the end was noticed
};

// One at a time. Keeps SIGINT, SIGTERM, SIGHUP, SIGTSTP and SIGCHLD, unless ignored, for run().
class Children {
 public:
  Children();
  ~Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Runs a program in a process group of its own until it ends. After `patience` seconds (0:
  // never), or if a signal tells this process to end, the group gets SIGTERM. SIGKILL follows after
  // two seconds, or at once after a second such signal. tick: called at least once a second.
  Ended run(const Start& start, double patience, const std::function<void()>& tick);

 private:
  sigset_t waited_{};
  sigset_t before_{};
  struct sigaction child_before_{};
};

}  // namespace nestbind::cli::tune
