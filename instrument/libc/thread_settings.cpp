// SPDX-License-Identifier: BSD-3-Clause
// A thread's name, its signal stack, its cancellation; and what new threads are like.
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "instrument/libc/followed_changes.hpp"
#include "interpose/next_function.hpp"

using namespace nestbind;

NESTBIND_INTERPOSE int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  return libc::changed_handle(NESTBIND_NEXT(pthread_setname_np)(thread, name), thread);
}

// Of its options the one that gives the calling thread a name.
NESTBIND_INTERPOSE int prctl(int option, ...) noexcept {
  va_list more;
  va_start(more, option);
  const long second = va_arg(more, long);
  const long third = va_arg(more, long);
  const long fourth = va_arg(more, long);
  const long fifth = va_arg(more, long);
  va_end(more);
  const int result = NESTBIND_NEXT(prctl)(option, second, third, fourth, fifth);
  return option == PR_SET_NAME ? libc::changed_self(result) : result;
}

// Threads created without sizes of their own have another stack from now on.
NESTBIND_INTERPOSE int pthread_setattr_default_np(const pthread_attr_t* attributes) noexcept {
  const int error = NESTBIND_NEXT_WHEN_CALLED(pthread_setattr_default_np)(attributes);
  if (error == 0) {
    workers::note_change_of_any();
  }
  return error;
}

// What new threads do not inherit.

NESTBIND_INTERPOSE int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  const int result = NESTBIND_NEXT(sigaltstack)(stack, old);
  return stack == nullptr ? result : libc::changed_own(result);
}

// A thread may end in these.

NESTBIND_INTERPOSE int pthread_cancel(pthread_t thread) {
  workers::note_change_of_handle(thread);
  return NESTBIND_NEXT_WHEN_CALLED(pthread_cancel)(thread);
}

NESTBIND_INTERPOSE int pthread_setcancelstate(int state, int* old) {
  workers::note_own_change();
  return NESTBIND_NEXT(pthread_setcancelstate)(state, old);
}

NESTBIND_INTERPOSE int pthread_setcanceltype(int type, int* old) {
  workers::note_own_change();
  return NESTBIND_NEXT(pthread_setcanceltype)(type, old);
}
