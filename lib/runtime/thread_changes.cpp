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
#include "runtime/fork.hpp"

using nestbind::NextFunction;
using nestbind::runtime::thread_changed;

namespace {

constinit NextFunction<int(int, const sigset_t*, sigset_t*)> g_pthread_sigmask{"pthread_sigmask"};
constinit NextFunction<int(int, const sigset_t*, sigset_t*)> g_sigprocmask{"sigprocmask"};
constinit NextFunction<int(pthread_t, const char*)> g_pthread_setname_np{"pthread_setname_np"};
constinit NextFunction<int(int, long, long, long, long)> g_prctl{"prctl"};
constinit NextFunction<int(pid_t, size_t, const cpu_set_t*)> g_sched_setaffinity{
    "sched_setaffinity"};
constinit NextFunction<int(pid_t, int, const sched_param*)> g_sched_setscheduler{
    "sched_setscheduler"};
constinit NextFunction<int(pthread_t, int, const sched_param*)> g_pthread_setschedparam{
    "pthread_setschedparam"};
constinit NextFunction<int(__priority_which_t, id_t, int)> g_setpriority{"setpriority"};
constinit NextFunction<int(int)> g_nice{"nice"};
constinit NextFunction<int(int, int*)> g_pthread_setcancelstate{"pthread_setcancelstate"};
constinit NextFunction<int(int, int*)> g_pthread_setcanceltype{"pthread_setcanceltype"};

// These two are called in signal handlers, where the loader cannot be asked.
__attribute__((constructor)) void begin() {
  find_early(g_pthread_sigmask, g_sigprocmask, g_pthread_setname_np, g_prctl, g_sched_setaffinity,
             g_sched_setscheduler, g_pthread_setschedparam, g_setpriority, g_nice,
             g_pthread_setcancelstate, g_pthread_setcanceltype);
}

}  // namespace

NESTBIND_INTERPOSE int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (set != nullptr) {
    thread_changed();
  }
  return g_pthread_sigmask.get()(how, set, old);
}

NESTBIND_INTERPOSE int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (set != nullptr) {
    thread_changed();
  }
  return g_sigprocmask.get()(how, set, old);
}

// The name, the affinity or the scheduling of another thread is not told to that thread: rare, and
// meant to last.
NESTBIND_INTERPOSE int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  thread_changed();
  return g_pthread_setname_np.get()(thread, name);
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
    thread_changed();
  }
  return g_prctl.get()(option, second, third, fourth, fifth);
}

NESTBIND_INTERPOSE int sched_setaffinity(pid_t thread, size_t size,
                                         const cpu_set_t* cpus) noexcept {
  thread_changed();
  return g_sched_setaffinity.get()(thread, size, cpus);
}

NESTBIND_INTERPOSE int sched_setscheduler(pid_t thread, int policy,
                                          const sched_param* parameters) noexcept {
  thread_changed();
  return g_sched_setscheduler.get()(thread, policy, parameters);
}

NESTBIND_INTERPOSE int pthread_setschedparam(pthread_t thread, int policy,
                                             const sched_param* parameters) noexcept {
  thread_changed();
  return g_pthread_setschedparam.get()(thread, policy, parameters);
}

NESTBIND_INTERPOSE int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  thread_changed();
  return g_setpriority.get()(which, who, priority);
}

NESTBIND_INTERPOSE int nice(int change) noexcept {
  thread_changed();
  return g_nice.get()(change);
}

NESTBIND_INTERPOSE int pthread_setcancelstate(int state, int* old) {
  thread_changed();
  return g_pthread_setcancelstate.get()(state, old);
}

NESTBIND_INTERPOSE int pthread_setcanceltype(int type, int* old) {
  thread_changed();
  return g_pthread_setcanceltype.get()(type, old);
}
