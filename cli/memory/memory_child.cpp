// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "cli/memory/memory_parts.hpp"

namespace nestbind::cli::memory {

namespace {

std::atomic<pid_t> g_child{0};

// Passes on a signal that a process has sent. The child gets the terminal's signals directly.
void hand_on(int signal, siginfo_t* info, void* /*context*/) {
  if (info->si_code <= 0) {
    kill(g_child.load(), signal);
  }
}

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

void wait_at(const int (&gate)[2]) {
  char unused = 0;
  close(gate[1]);
  while (read(gate[0], &unused, 1) < 0 && errno == EINTR) {
  }
  close(gate[0]);
}

// The child may be stopped and continued meanwhile.
int wait_for(pid_t child, const std::function<void(int)>& attend) {
  const sigset_t ended = set_of({SIGCHLD});
  const int told = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
  int status = 0;
  for (pid_t got = 0; got == 0 || (got < 0 && errno == EINTR);) {
    if (told >= 0) {
      attend(told);
      signalfd_siginfo unused;
      while (read(told, &unused, sizeof unused) > 0) {
      }
    }
    got = waitpid(child, &status, told >= 0 ? WNOHANG : 0);
  }
  if (told >= 0) {
    close(told);
  }
  return status;
}

}  // namespace

Ended run_child(const std::function<int()>& become, const std::function<void(pid_t)>& prepare,
                const std::function<void(int)>& attend) {
  Handling all[] = {{SIGINT, {}},  {SIGQUIT, {}}, {SIGTERM, {}}, {SIGHUP, {}},
                    {SIGUSR1, {}}, {SIGUSR2, {}}, {SIGCHLD, {}}};
  // These signals stay blocked until there is a child that can receive them.
  const sigset_t handed_on = set_of({SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2});
  sigset_t blocked = handed_on;
  sigaddset(&blocked, SIGCHLD);
  sigset_t mask;
  sigprocmask(SIG_BLOCK, &blocked, &mask);
  for (Handling& one : all) {
    struct sigaction wanted{};
    wanted.sa_flags = SA_SIGINFO;
    wanted.sa_sigaction = hand_on;
    if (one.signal == SIGCHLD) {
      wanted = {};
    }
    sigaction(one.signal, nullptr, &one.before);
    if (one.before.sa_handler != SIG_IGN || one.signal == SIGCHLD) {
      sigaction(one.signal, &wanted, nullptr);
    }
  }
  int gate[2] = {-1, -1};
  Ended ended;
  const pid_t child = pipe(gate) != 0 ? -1 : fork();
  if (child == 0) {
    wait_at(gate);
    for (const Handling& one : all) {
      sigaction(one.signal, &one.before, nullptr);
    }
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    _exit(become());
  }
  ended.error = child < 0 ? errno : 0;
  if (child > 0) {
    g_child.store(child);
    close(gate[0]);
    sigprocmask(SIG_UNBLOCK, &handed_on, nullptr);
    prepare(child);
    close(gate[1]);
    ended.status = wait_for(child, attend);
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
