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
