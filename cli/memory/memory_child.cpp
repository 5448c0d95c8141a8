// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/common/exec_gate.hpp"
#include "cli/common/say.hpp"
#include "cli/memory/memory_parts.hpp"
#include "support/errno_kept.hpp"
#include "support/file_bytes.hpp"

namespace nestbind::cli::memory {

namespace {

constexpr char kUnwatched[] = "the program is no longer watched, and there is no report";

constexpr int kHandedOn[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGUSR1,   SIGUSR2, SIGALRM, SIGTERM,
                             SIGCONT, SIGXCPU, SIGIO,   SIGVTALRM, SIGPROF, SIGPWR};

struct Handling {
  int signal;
  struct sigaction before;
};

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) {
    sigaddset(&set, signal);
  }
  return set;
}

volatile pid_t g_child = 0;

// The witness is a process of our group that only keeps the signals that it gets. If the witness
// has a signal that we got, the signal was sent to the whole group (by a terminal or by kill(2)) or
// to each process of the job, and the program has got it, too. No other fact tells such a signal
// from one that was sent to us alone. The program cannot have a group of its own: it would then not
// share the terminal with a pager, and Ctrl-C would not end the script that has started us.
volatile pid_t g_witness = -1;
char g_status_of_witness[64];

// The witness forgets its signals when it gets this one.
int forget() { return SIGRTMAX; }

void start_witness() {
  const pid_t own = getpid();
  const pid_t witness = fork();
  if (witness != 0) {
    std::snprintf(g_status_of_witness, sizeof g_status_of_witness, "/proc/%d/status", witness);
    g_witness = witness;
    return;
  }
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const sigset_t asked = set_of({forget()});
  const timespec at_once{};
  while (getppid() == own) {
    // If this process was stopped, sigwaitinfo fails after SIGCONT, and the signal must be kept.
    const bool is_asked = sigwaitinfo(&asked, nullptr) > 0;
    while (is_asked && sigtimedwait(&all, nullptr, &at_once) > 0) {
    }
  }
  _exit(0);
}

void end_witness() {
  if (g_witness > 0) {
    kill(g_witness, SIGKILL);
    waitpid(g_witness, nullptr, 0);
  }
}

// Called in a signal handler.
bool has_witness(int signal) {
  constexpr timespec kPause{0, 2'000'000};  // who signals each process needs some time for this
  constexpr int kTimes = 10;
  for (int i = 0; i < kTimes; ++i) {
    char text[16384] = "";
    support::File(g_status_of_witness).next(text, sizeof text - 1);
    constexpr char kPending[] = "\nShdPnd:";  // proc(5): a mask of signals
    const char* const at = std::strstr(text, kPending);
    const auto pending = at == nullptr ? 0 : std::strtoull(at + sizeof kPending - 1, nullptr, 16);
    if ((pending >> (signal - 1) & 1) != 0) {
      kill(g_witness, forget());
      return true;
    }
    nanosleep(&kPause, nullptr);
  }
  return false;
}

void hand_on(int signal) {
  const support::ErrnoKept errno_kept;
  // The program may have left our group, as timeout(1) does.
  if (getpgid(g_child) != getpgrp() || !has_witness(signal)) {
    kill(g_child, signal);
  }
}

// Job control may stop the program alone, for example raise(SIGTSTP). The shell waits for us, so we
// stop, too. If another process has sent SIGSTOP, it will also send SIGCONT.
void stop_with(int signal) {
  if (signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
    raise(SIGSTOP);
  }
}

// The child may be stopped and continued meanwhile.
void wait_for(pid_t child, const std::function<void(int)>& attend, Ended& ended) {
  const sigset_t of_children = set_of({SIGCHLD});
  const support::Descriptor told(signalfd(-1, &of_children, SFD_CLOEXEC | SFD_NONBLOCK));
  while (true) {
    const bool is_watched = ended.is_watched && told.is_open();
    if (is_watched) {
      ended.is_watched = guarded(kUnwatched, [&] { attend(told.number()); });
      signalfd_siginfo unused;
      while (read(told.number(), &unused, sizeof unused) > 0) {
      }
    }
    const pid_t got = waitpid(child, &ended.status, WUNTRACED | (is_watched ? WNOHANG : 0));
    if (got > 0 && WIFSTOPPED(ended.status)) {
      stop_with(WSTOPSIG(ended.status));
    } else if (got > 0 || (got < 0 && errno != EINTR)) {
      return;
    }
  }
}

}  // namespace

Ended run_child(const std::function<int()>& become, const std::function<void(pid_t)>& prepare,
                const std::function<void(int)>& attend) {
  // These signals stay blocked until there is a child that can receive them.
  sigset_t handed_on = set_of({});
  std::vector<Handling> all;
  for (const int signal : kHandedOn) {
    sigaddset(&handed_on, signal);
    all.push_back({signal, {}});
  }
  all.push_back({SIGCHLD, {}});
  all.push_back({SIGPIPE, {}});
  sigset_t blocked = handed_on;
  sigaddset(&blocked, SIGCHLD);
  sigaddset(&blocked, forget());  // it would end a witness that has just been started
  sigset_t mask;
  sigprocmask(SIG_BLOCK, &blocked, &mask);
  for (Handling& one : all) {
    struct sigaction wanted{};
    wanted.sa_mask = handed_on;
    wanted.sa_handler = one.signal == SIGCHLD   ? SIG_DFL
                        : one.signal == SIGPIPE ? SIG_IGN  // the reader of our messages has ended
                                                : hand_on;
    sigaction(one.signal, nullptr, &one.before);
    if (one.before.sa_handler != SIG_IGN || one.signal == SIGCHLD) {
      sigaction(one.signal, &wanted, nullptr);
    }
  }
  ExecGate gate;
  Ended ended;
  const pid_t child = gate.is_open() ? fork() : -1;
  if (child == 0) {
    gate.wait();
    for (const Handling& one : all) {
      sigaction(one.signal, &one.before, nullptr);
    }
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    int status = kFailure;
    guarded("the program is not started", [&] { status = become(); });
    gate.tell(kNotFound);
    _exit(status);
  }
  ended.error = child < 0 ? errno : 0;
  if (child > 0) {
    gate.left();
    g_child = child;
    start_witness();
    sigprocmask(SIG_UNBLOCK, &handed_on, nullptr);
    ended.is_watched = guarded(kUnwatched, [&] { prepare(child); });
    gate.open();
    wait_for(child, attend, ended);
    ended.is_executed = gate.failure() == 0;
    end_witness();
  }
  for (const Handling& one : all) {
    sigaction(one.signal, &one.before, nullptr);
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  return ended;
}

int end_alike(const Ended& ended) {
  constexpr int kSignalled = 128;  // as in a shell: 128 plus the signal
  if (!WIFSIGNALED(ended.status)) {
    return WEXITSTATUS(ended.status);
  }
  const int signal = WTERMSIG(ended.status);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  struct sigaction as_usual{};
  as_usual.sa_handler = SIG_DFL;
  sigaction(signal, &as_usual, nullptr);
  raise(signal);
  return kSignalled + signal;
}

}  // namespace nestbind::cli::memory
