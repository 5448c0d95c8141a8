// SPDX-License-Identifier: BSD-3-Clause
// What a thread changes of itself in the kernel. A new thread inherits that from its creator, and
// has nothing of its predecessor's; a kept one would be different. So a worker that has called one
// of these in a region is not kept, and a master that has gets new workers.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "interpose/next_function.hpp"
#include "workers/quiet.hpp"
#include "workers/worker.hpp"

using nestbind::workers::note_change;
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

// The name, the affinity or the scheduling of another thread is not told to that thread: rare, and
// meant to last.
NESTBIND_INTERPOSE int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  note_change();
  return NESTBIND_NEXT(pthread_setname_np)(thread, name);
}

NESTBIND_INTERPOSE int prctl(int option, ...) noexcept {
  va_list more;
  va_start(more, option);
  const long second = va_arg(more, long);
  const long third = va_arg(more, long);
  const long fourth = va_arg(more, long);
  const long fifth = va_arg(more, long);
  va_end(more);
  // Those that only ask are many; these two are asked in regions.
  if (option != PR_GET_NAME && option != PR_GET_TIMERSLACK) {
    note_change();
  }
  return NESTBIND_NEXT(prctl)(option, second, third, fourth, fifth);
}

NESTBIND_INTERPOSE int sched_setaffinity(pid_t thread, size_t size,
                                         const cpu_set_t* cpus) noexcept {
  note_change();
  return NESTBIND_NEXT(sched_setaffinity)(thread, size, cpus);
}

NESTBIND_INTERPOSE int sched_setscheduler(pid_t thread, int policy,
                                          const sched_param* parameters) noexcept {
  note_change();
  return NESTBIND_NEXT(sched_setscheduler)(thread, policy, parameters);
}

NESTBIND_INTERPOSE int pthread_setschedparam(pthread_t thread, int policy,
                                             const sched_param* parameters) noexcept {
  note_change();
  return NESTBIND_NEXT(pthread_setschedparam)(thread, policy, parameters);
}

NESTBIND_INTERPOSE int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  note_change();
  return NESTBIND_NEXT(setpriority)(which, who, priority);
}

NESTBIND_INTERPOSE int nice(int change) noexcept {
  note_change();
  return NESTBIND_NEXT(nice)(change);
}

NESTBIND_INTERPOSE int pthread_setcancelstate(int state, int* old) {
  note_change();
  return NESTBIND_NEXT(pthread_setcancelstate)(state, old);
}

NESTBIND_INTERPOSE int pthread_setcanceltype(int type, int* old) {
  note_change();
  return NESTBIND_NEXT(pthread_setcanceltype)(type, old);
}
