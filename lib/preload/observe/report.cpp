// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

#include "interpose/next_function.hpp"
#include "observe/observer.hpp"
#include "observe/teams_report.hpp"
#include "options/settings.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::observe {

namespace {

constinit struct sigaction g_before{};

// The loader is asked for it where there is a report, and not at every start.
constinit interpose::NextFunction g_sigaction{"sigaction"};

int set_action(int signal, const struct sigaction* action, struct sigaction* before) {
  void* const function = g_sigaction.known();
  return function == nullptr
             ? -1
             : reinterpret_cast<int (*)(int, const struct sigaction*, struct sigaction*)>(function)(
                   signal, action, before);
}

// A handler's own stack may be a small one: a fault in here would be another end than the
// program's.
bool has_room() {
  constexpr std::ptrdiff_t kNeeded = 16 << 10;
  stack_t stack{};
  const char here = 0;
  return support::system_call(SYS_sigaltstack, nullptr, &stack) == 0 &&
         ((stack.ss_flags & SS_ONSTACK) == 0 || &here - static_cast<char*>(stack.ss_sp) > kNeeded);
}

// The signal is held back until this returns, and comes once more then, to where it would have
// gone.
void at_abort(int signal) {
  const support::ErrnoKept errno_kept;
  if (has_room()) {
    report_at_abort();
  }
  set_action(signal, &g_before, nullptr);
  support::system_call(SYS_tgkill, getpid(), gettid(), signal);
}

// The end of the process by abort(): what waits to be reported is.
// Asks the loader for what follows. Called before, where nobody waits for the thread.
void prepare_for_abort() { g_sigaction.look(); }

// From now on SIGABRT comes to us first, and then to where it would have gone; where the program
// ignores it, it still does. Only the first call does anything. A handler that the program sets
// later takes our place.
void watch_abort() {
  static constinit std::atomic<bool> is_watched{false};
  if (is_watched.exchange(true) || set_action(SIGABRT, nullptr, &g_before) != 0 ||
      g_before.sa_handler == SIG_IGN) {
    return;
  }
  struct sigaction ours{};
  ours.sa_handler = at_abort;
  sigfillset(&ours.sa_mask);
  ours.sa_flags = SA_RESTART;
  set_action(SIGABRT, &ours, nullptr);
}

constexpr long kQuiet = 1000;  // milliseconds without a new team

// It makes no system call if nothing waits, because it runs at every fork.
void forked(const Fork&) {
  if (waiting_teams_are_quiet(kQuiet)) {
    report_waiting_teams();
  }
}

void team_placed(const PlacedTeam& team) {
  const bool is_now = options::settings().report_now;
  if (!is_now) {
    watch_abort();
  }
  if (is_now || !report_later(team)) {
    report_at_once(team);
  }
}

// The outermost region ends with its primary thread.
void member_left(const Member& member) {
  if (some_teams_wait() && member.level == 1 && member.number == 0) {
    report_waiting_teams();
  }
}

}  // namespace

constinit Observer g_report{.armed = prepare_for_abort,
                            .forked = forked,
                            .team_placed = team_placed,
                            .member_left = member_left,
                            .in_child = forget_waiting_teams};

}  // namespace nestbind::observe
