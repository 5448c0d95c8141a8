// SPDX-License-Identifier: BSD-3-Clause
// Runs a program as a child of this process, timed, and ends it where it has to be ended.
#pragma once

#include <signal.h>

#include <functional>
#include <string>
#include <vector>

namespace nestbind::cli::tune {

// What a child is given, and where its output goes.
struct Start {
  std::vector<std::string> words;        // the program, searched for in PATH, and its arguments
  std::vector<std::string> environment;  // NAME=VALUE
  std::string input;                     // files
  std::string output;
  std::string error;
};

struct Ended {
  enum class How {
    kExited,     // number: the exit status
    kSignalled,  // number: the signal
    kTimedOut,   // and was ended
    kStopped,    // by the terminal, which is not its own (the number: SIGTTIN or SIGTTOU), and was
                 // ended
    kInterrupted,  // this process was told to end by a signal, the number; so the child was ended
    kDisturbed,    // this process was stopped and continued meanwhile, and the child with it
    kNotStarted    // number: errno
  };
  How how = How::kNotStarted;
  int number = 0;
  double seconds = 0;  // by the clock on the wall, from the fork until the end was seen
};

// Signals to this process (those that are not ignored) wait while one of these lives, for run() to
// take them: SIGINT, SIGTERM and SIGHUP, SIGTSTP, and a child's end. One at a time.
class Children {
 public:
  Children();
  ~Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Runs a program in a process group of its own, until it ends; after `patience` seconds (0:
  // never), or when this process is told to end, the group gets SIGTERM, and SIGKILL two seconds
  // later, or at once when this process is told again. tick: called now and then, at least once a
  // second.
  Ended run(const Start& start, double patience, const std::function<void()>& tick);

 private:
  sigset_t waited_{};
  sigset_t before_{};
  struct sigaction child_before_{};
};

}  // namespace nestbind::cli::tune
