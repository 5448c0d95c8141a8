// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/timed_child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <limits>

#include "cli/common/exec_gate.hpp"
#include "cli/inspect/text.hpp"
#include "support/files.hpp"

namespace nestbind::cli::tune {

namespace {

using Clock = std::chrono::steady_clock;
using support::Descriptor;

constexpr double kGrace = 2;  // seconds from SIGTERM to SIGKILL
constexpr double kTick = 1;
constexpr double kNever = std::numeric_limits<double>::infinity();

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

int signal_within(const sigset_t& signals, double seconds) {
  const double whole = std::floor(std::clamp(seconds, 0.0, kTick));
  const timespec timeout = {static_cast<time_t>(whole),
                            static_cast<long>((std::clamp(seconds, 0.0, kTick) - whole) * 1e9)};
  return sigtimedwait(&signals, nullptr, &timeout);
}

bool is_told_to_end(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
}

// Executes the program in the child. Only async-signal-safe functions are allowed after fork.
// Returns if exec fails.
void become(char* const* words, char* const* environment, const int (&files)[3], pid_t parent,
            const sigset_t& mask) {
  setpgid(0, 0);
  // If the parent ends, the kernel sends SIGTERM to this child.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) {
    _exit(1);
  }
  for (int i = 0; i < 3; ++i) {
    dup2(files[i], i);
    // If files[i] is i, dup2 does nothing, and the close-on-exec flag is still set.
    fcntl(i, F_SETFD, 0);
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execvpe(words[0], words, environment);
}

class Watch {
 public:
  Watch(pid_t child, Clock::time_point begin, double patience, const sigset_t& signals)
      : child_(child),
        begin_(begin),
        signals_(signals),
        deadline_(patience > 0 ? patience : kNever) {}

  Ended until_end(const std::function<void()>& tick) {
    while (!has_ended()) {
      if (const int why = stopped_by_terminal(); why != 0 && !is_ending_) {
        end_it(Ended::How::kStopped, why);
      }
      const int signal = signal_within(signals_, deadline_ - seconds_since(begin_));
      if (is_told_to_end(signal)) {
        end_it(Ended::How::kInterrupted, signal);
      } else if (signal == SIGTSTP) {
        stop_with_it();
      } else if (seconds_since(begin_) >= deadline_ && !has_ended()) {
        end_it(Ended::How::kTimedOut, 0);
      }
      tick();
    }
    if (is_ending_) {
      kill(-child_, SIGKILL);  // other processes of the group, which may have ignored SIGTERM
    }
    int status = 0;
    waitpid(child_, &status, 0);
    if (!is_ending_ && !is_disturbed_) {
      ended_.how = WIFEXITED(status) ? Ended::How::kExited : Ended::How::kSignalled;
      ended_.number = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    } else if (!is_ending_) {
      ended_.how = Ended::How::kDisturbed;
    }
    return ended_;
  }

 private:
  // The child is not reaped, so its number is not reused.
  bool has_ended() {
    siginfo_t info{};
    const bool has =
        waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child_;
    if (has) {
      ended_.seconds = seconds_since(begin_);
    }
    return has;
  }

  // Returns the signal by which the terminal stopped the child, or 0.
  int stopped_by_terminal() const {
    siginfo_t info{};
    const bool has_stopped =
        waitid(P_PID, static_cast<id_t>(child_), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child_ && (info.si_status == SIGTTIN || info.si_status == SIGTTOU);
    return has_stopped ? info.si_status : 0;
  }

  // A stopped child needs SIGCONT, too.
  void end_it(Ended::How how, int number) {
    kill(-child_, is_ending_ ? SIGKILL : SIGTERM);
    kill(-child_, SIGCONT);
    if (!is_ending_ || how == Ended::How::kInterrupted) {
      ended_.how = how;
      ended_.number = number;
    }
    deadline_ = seconds_since(begin_) + (is_ending_ ? kNever : kGrace);
    is_ending_ = true;
  }

  // Stops both processes after Ctrl-Z.
  void stop_with_it() {
    kill(-child_, SIGSTOP);
    kill(getpid(), SIGSTOP);
    kill(-child_, SIGCONT);
    is_disturbed_ = true;
  }

  pid_t child_;
  Clock::time_point begin_;
  const sigset_t& signals_;
  double deadline_;
  Ended ended_;
  bool is_ending_ = false;
  bool is_disturbed_ = false;
};

}  // namespace

Children::Children() {
  sigemptyset(&waited_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP}) {
    struct sigaction now{};
    // For example, nohup makes SIGHUP an ignored signal. run() then ignores SIGHUP, too.
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) {
      sigaddset(&waited_, signal);
    }
  }
  sigaddset(&waited_, SIGCHLD);
  struct sigaction as_usual{};
  as_usual.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &as_usual, &child_before_);
  sigprocmask(SIG_BLOCK, &waited_, &before_);
}

Children::~Children() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  sigaction(SIGCHLD, &child_before_, nullptr);
}

Ended Children::run(const Start& start, double patience, const std::function<void()>& tick) {
  if (const int signal = signal_within(waited_, 0); is_told_to_end(signal)) {
    return {Ended::How::kInterrupted, signal, 0};
  }
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const Descriptor input(open(start.input.c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor output(input.number() < 0 ? -1 : open(start.output.c_str(), kNew, 0666));
  const Descriptor error(output.number() < 0 ? -1 : open(start.error.c_str(), kNew, 0666));
  if (error.number() < 0) {
    return {Ended::How::kNotStarted, errno, 0};
  }
  ExecGate gate;
  if (!gate.is_open()) {
    return {Ended::How::kNotStarted, errno, 0};
  }
  const std::vector<char*> words = inspect::as_arguments(start.words);
  const std::vector<char*> environment = inspect::as_arguments(start.environment);
  const int files[3] = {input.number(), output.number(), error.number()};
  const pid_t parent = getpid();

  const auto begin = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    become(words.data(), environment.data(), files, parent, before_);
    gate.tell(errno);
    _exit(127);
  }
  if (child < 0) {
    return {Ended::How::kNotStarted, errno, 0};
  }
  setpgid(child, child);  // both processes call setpgid, because either may run first
  gate.left();
  if (const int why = gate.failure(); why != 0) {
    waitpid(child, nullptr, 0);
    return {Ended::How::kNotStarted, why, 0};
  }
  return Watch(child, begin, patience, waited_).until_end(tick);
}

}  // namespace nestbind::cli::tune
