// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "cli/memory/memory_parts.hpp"

namespace nestbind::cli::memory {

namespace {

std::atomic<pid_t> g_child{0};

void hand_on(int signal) { kill(g_child.load(), signal); }

struct Handling {
  int signal;
  void (*handler)(int);
  struct sigaction before;
};

}  // namespace

Ended run_child(const std::function<int()>& become) {
  Handling all[] = {{SIGINT, SIG_IGN, {}}, {SIGQUIT, SIG_IGN, {}}, {SIGTERM, hand_on, {}},
                    {SIGHUP, hand_on, {}}, {SIGUSR1, hand_on, {}}, {SIGUSR2, hand_on, {}}};
  // Blocked until there is somebody to hand them on to.
  sigset_t handed_on;
  sigset_t mask;
  sigemptyset(&handed_on);
  for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    sigaddset(&handed_on, signal);
  }
  sigprocmask(SIG_BLOCK, &handed_on, &mask);
  for (Handling& one : all) {
    struct sigaction wanted{};
    wanted.sa_handler = one.handler;
    sigaction(one.signal, nullptr, &one.before);
    if (one.before.sa_handler != SIG_IGN) {
      sigaction(one.signal, &wanted, nullptr);
    }
  }
  const pid_t child = fork();
  if (child == 0) {
    for (const Handling& one : all) {
      sigaction(one.signal, &one.before, nullptr);
    }
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    _exit(become());
  }
  Ended ended;
  ended.error = child < 0 ? errno : 0;
  g_child.store(child);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  while (child > 0 && waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
  }
  for (const Handling& one : all) {
    sigaction(one.signal, &one.before, nullptr);
  }
  return ended;
}

bool was_signalled(const Ended& ended) { return WIFSIGNALED(ended.status); }

bool has_not_started(const Ended& ended) {
  return WIFEXITED(ended.status) &&
         (WEXITSTATUS(ended.status) == 126 || WEXITSTATUS(ended.status) == 127);
}

int end_alike(const Ended& ended) {
  constexpr int kSignalled = 128;  // as shells count: and the signal
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
