// SPDX-License-Identifier: BSD-3-Clause
#include "process/undisturbed.hpp"

#include <pthread.h>

#include <initializer_list>

#include "interpose/next_function.hpp"

namespace nestbind::process {

namespace {

// These are the C library's functions. nestbind's hooks treat each call as a call of the program.
constinit interpose::NextFunction g_set_state{"pthread_setcancelstate"};
constinit interpose::NextFunction g_set_type{"pthread_setcanceltype"};

void set_cancel_state(int state, int* before) {
  reinterpret_cast<decltype(&::pthread_setcancelstate)>(g_set_state.get())(state, before);
}
void set_cancel_type(int type, int* before) {
  reinterpret_cast<decltype(&::pthread_setcanceltype)>(g_set_type.get())(type, before);
}

}  // namespace

Uncancelled::Uncancelled() { set_cancel_state(PTHREAD_CANCEL_DISABLE, &before_); }

Uncancelled::~Uncancelled() noexcept(false) {
  if (before_ == PTHREAD_CANCEL_DISABLE) {
    return;
  }
  // In glibc 2.36, pthread_setcancelstate does not cancel a thread correctly. So this code lets
  // pthread_setcanceltype cancel the thread.
  int ours = 0;
  int type = PTHREAD_CANCEL_DEFERRED;
  set_cancel_type(PTHREAD_CANCEL_DEFERRED, &type);
  set_cancel_state(before_, &ours);
  set_cancel_type(type, &ours);
}

Undisturbed::HeldBack::HeldBack() {
  sigset_t all;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
    sigdelset(&all, fault);
  }
  change_signal_mask(SIG_BLOCK, &all, &before);
}

Undisturbed::HeldBack::~HeldBack() { change_signal_mask(SIG_SETMASK, &before, nullptr); }

Undisturbed::Undisturbed() = default;
Undisturbed::~Undisturbed() noexcept(false) = default;

}  // namespace nestbind::process
