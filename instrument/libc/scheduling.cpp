// SPDX-License-Identifier: BSD-3-Clause
// Policy and priority of threads. A thread's identifier may be another thread's.
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "instrument/libc/followed_changes.hpp"
#include "interpose/next_function.hpp"
#include "support/system_call.hpp"

using namespace nestbind;

NESTBIND_INTERPOSE int sched_setscheduler(pid_t thread, int policy,
                                          const sched_param* parameters) noexcept {
  const int result = NESTBIND_NEXT(sched_setscheduler)(thread, policy, parameters);
  return libc::changed(result, thread);
}

NESTBIND_INTERPOSE int sched_setparam(pid_t thread, const sched_param* parameters) noexcept {
  return libc::changed(NESTBIND_NEXT_WHEN_CALLED(sched_setparam)(thread, parameters), thread);
}

// Newer than many C libraries; the system call is not.
NESTBIND_INTERPOSE int sched_setattr(pid_t thread, struct sched_attr* attributes,
                                     unsigned flags) noexcept {
  auto* known = NESTBIND_NEXT_WHEN_CALLED(sched_setattr);
  const auto result =
      known != nullptr
          ? known(thread, attributes, flags)
          : static_cast<int>(support::system_call(SYS_sched_setattr, thread, attributes, flags));
  return libc::changed(result, thread);
}

NESTBIND_INTERPOSE int pthread_setschedparam(pthread_t thread, int policy,
                                             const sched_param* parameters) noexcept {
  const int result = NESTBIND_NEXT(pthread_setschedparam)(thread, policy, parameters);
  return libc::changed_handle(result, thread);
}

NESTBIND_INTERPOSE int pthread_setschedprio(pthread_t thread, int priority) noexcept {
  return libc::changed_handle(NESTBIND_NEXT_WHEN_CALLED(pthread_setschedprio)(thread, priority),
                              thread);
}

// Of a thread, or of all threads of a user or of a group of processes.
NESTBIND_INTERPOSE int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  const int result = NESTBIND_NEXT(setpriority)(which, who, priority);
  if (which == PRIO_PROCESS) {
    return libc::changed(result, who);
  }
  if (result >= 0) {
    workers::note_change_of_any();
  }
  return result;
}

// The new value may be -1.
NESTBIND_INTERPOSE int nice(int change) noexcept {
  workers::note_change();
  return NESTBIND_NEXT(nice)(change);
}
