// SPDX-License-Identifier: BSD-3-Clause
// The signal mask that a thread sets for itself.
#include <signal.h>

#include "interpose/next_function.hpp"
#include "workers/quiet.hpp"

using nestbind::workers::note_mask_change;

NESTBIND_INTERPOSE int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (set != nullptr) {
    note_mask_change();
  }
  return NESTBIND_NEXT(pthread_sigmask)(how, set, old);
}

NESTBIND_INTERPOSE int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (set != nullptr) {
    note_mask_change();
  }
  return NESTBIND_NEXT(sigprocmask)(how, set, old);
}

// The older ones, which programs still have.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

NESTBIND_INTERPOSE int sighold(int signal) noexcept {
  note_mask_change();
  return NESTBIND_NEXT(sighold)(signal);
}

NESTBIND_INTERPOSE int sigrelse(int signal) noexcept {
  note_mask_change();
  return NESTBIND_NEXT(sigrelse)(signal);
}

NESTBIND_INTERPOSE __sighandler_t sigset(int signal, __sighandler_t handler) noexcept {
  note_mask_change();
  return NESTBIND_NEXT(sigset)(signal, handler);
}

NESTBIND_INTERPOSE int sigblock(int mask) noexcept {
  note_mask_change();
  return NESTBIND_NEXT(sigblock)(mask);
}

NESTBIND_INTERPOSE int sigsetmask(int mask) noexcept {
  note_mask_change();
  return NESTBIND_NEXT(sigsetmask)(mask);
}
