// SPDX-License-Identifier: BSD-3-Clause
// Hooks for calls that change settings of threads, such as names, policies, priorities, namespaces.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "instrument/libc/followed_changes.hpp"
#include "interpose/next_function.hpp"
#include "process/original_mask.hpp"
#include "support/system_call.hpp"
#include "workers/ending.hpp"

using namespace nestbind;

NESTBIND_INTERPOSE int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  return libc::changed_handle(NESTBIND_NEXT(pthread_setname_np)(thread, name), thread);
}

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

// From now on, threads whose attributes have no stack size get another stack size.
NESTBIND_INTERPOSE int pthread_setattr_default_np(const pthread_attr_t* attributes) noexcept {
  const int error = NESTBIND_NEXT_WHEN_CALLED(pthread_setattr_default_np)(attributes);
  if (error == 0) {
    workers::note_change_of_any();
  }
  return error;
}

// The following settings are not inherited by new threads.

NESTBIND_INTERPOSE int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  const int result = NESTBIND_NEXT(sigaltstack)(stack, old);
  return stack == nullptr ? result : libc::changed_own(result);
}

// A thread may end in the following calls.

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

// Policy and priority. The identifier may be another thread's.

NESTBIND_INTERPOSE int sched_setscheduler(pid_t thread, int policy,
                                          const sched_param* parameters) noexcept {
  const int result = NESTBIND_NEXT(sched_setscheduler)(thread, policy, parameters);
  return libc::changed(result, thread);
}

NESTBIND_INTERPOSE int sched_setparam(pid_t thread, const sched_param* parameters) noexcept {
  return libc::changed(NESTBIND_NEXT_WHEN_CALLED(sched_setparam)(thread, parameters), thread);
}

// Many C libraries lack sched_setattr. Then the hook makes the system call itself.
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

// Ignores the result, because a new nice value of -1 looks like an error.
NESTBIND_INTERPOSE int nice(int change) noexcept {
  workers::note_change();
  return NESTBIND_NEXT(nice)(change);
}

namespace {

// Ends idle workers before calls that need a one-thread process. kinds: clone's flags; 0 for any.
void be_alone_for(int kinds) {
  constexpr int kAlone = CLONE_NEWUSER | CLONE_NEWTIME | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
  if (kinds == 0 || (kinds & kAlone) != 0) {
    workers::end_idle();
  }
}

}  // namespace

NESTBIND_INTERPOSE int unshare(int flags) noexcept {
  be_alone_for(flags);
  return libc::changed_self(NESTBIND_NEXT_WHEN_CALLED(unshare)(flags));
}

NESTBIND_INTERPOSE int setns(int file, int kind) noexcept {
  be_alone_for(kind);
  return libc::changed_self(NESTBIND_NEXT_WHEN_CALLED(setns)(file, kind));
}

// Hooks for masks that a program or runtime sets. If OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY
// is set, libgomp's constructor narrows the mask of the thread that loads it. At the start of a
// process this constructor runs before ours, and the library undoes it. A library that is loaded
// later does not narrow its thread while nestbind places the program's threads.

NESTBIND_INTERPOSE int pthread_setaffinity_np(pthread_t thread, size_t size,
                                              const cpu_set_t* cpus) noexcept {
  nestbind::process::learn_original_mask();
  const bool by_runtime = nestbind::placement::runtime_sets_mask(__builtin_return_address(0));
  if (by_runtime && nestbind::placement::places_instead_of_runtime()) {
    return 0;
  }
  const int error = NESTBIND_NEXT(pthread_setaffinity_np)(thread, size, cpus);
  if (error == 0) {
    nestbind::placement::note_mask_set_of(thread, by_runtime, __builtin_return_address(0));
  }
  return nestbind::libc::changed_handle(error, thread);
}

NESTBIND_INTERPOSE int sched_setaffinity(pid_t thread, size_t size,
                                         const cpu_set_t* cpus) noexcept {
  return nestbind::libc::change_mask(
      [&] { return NESTBIND_NEXT(sched_setaffinity)(thread, size, cpus); }, thread,
      __builtin_return_address(0));
}
