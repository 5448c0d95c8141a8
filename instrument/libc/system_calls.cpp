// SPDX-License-Identifier: BSD-3-Clause
// Hook for syscall(). libnuma and hwloc set memory policies by syscall(), libnuma sets affinity,
// and PAPI opens counters.
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "instrument/libc/followed_changes.hpp"
#include "interpose/next_function.hpp"
#include "support/system_call.hpp"

#if defined(__x86_64__) || defined(__aarch64__)

namespace nestbind::libc {

namespace {

bool is_noted(long number) {
  return number == SYS_set_mempolicy || number == SYS_sched_setaffinity ||
         number == SYS_sched_setattr || number == SYS_perf_event_open;
}

// A system call has up to six arguments. The noted calls have at most five arguments, so this type
// has no sixth argument. For all other calls we only jump to the next function. The sixth argument
// then stays in its place. On x86-64 this place is on the caller's stack. If a call has fewer
// arguments, the caller may have a variable in this place. Other threads may write the variable, so
// we must not touch it.
using SystemCall = long(long, long, long, long, long, long) noexcept;

struct Words {
  long number, a, b, c, d, e;
  const void* code;
};

long make(SystemCall* next, const Words& words) {
  return next(words.number, words.a, words.b, words.c, words.d, words.e);
}

long set_policy(SystemCall* next, const Words& words) {
  const long result = make(next, words);
  if (result >= 0) {
    workers::note_policy_change();
  }
  return result;
}

// An inherited event of a thread also counts in threads that the thread creates later.
long open_event(SystemCall* next, const Words& words) {
  const auto* event =
      reinterpret_cast<const perf_event_attr*>(words.a);  // NOLINT(performance-no-int-to-ptr)
  const auto thread = static_cast<pid_t>(words.b);        // -1: all threads, on one processor
  const long result = make(next, words);
  return result >= 0 && thread >= 0 && event->inherit != 0 ? changed(result, thread) : result;
}

__attribute__((noinline)) long make_and_note(SystemCall* next, const Words& words) {
  switch (words.number) {
    case SYS_set_mempolicy:
      return set_policy(next, words);
    case SYS_sched_setaffinity:
      return change_mask([&] { return make(next, words); }, words.a, words.code);
    case SYS_sched_setattr:
      return changed(make(next, words), words.a);
    default:
      return open_event(next, words);
  }
}

long make_alone(long number, long a, long b, long c, long d, long e, long f) noexcept {
  return support::in_errno(support::kernel_answer(number, a, b, c, d, e, f));
}

// Does not ask the loader, because the loader could call an allocator that calls us.
SystemCall* next_or_kernel() {
  void* known = NESTBIND_NEXT_RECORD(syscall).known();
  return reinterpret_cast<SystemCall*>(known == nullptr ? reinterpret_cast<void*>(make_alone)
                                                        : known);
}

}  // namespace

}  // namespace nestbind::libc

using namespace nestbind::libc;

// The header declares a variadic function. So our function has the real name only in assembly.
#if defined(__x86_64__)
NESTBIND_INTERPOSE NESTBIND_JUMPS long stand_before_syscall(long number, long a, long b, long c,
                                                            long d, long e) noexcept asm("syscall");

long stand_before_syscall(long number, long a, long b, long c, long d, long e) noexcept {
  SystemCall* known = next_or_kernel();
  if (is_noted(number)) {
    return make_and_note(known, {number, a, b, c, d, e, __builtin_return_address(0)});
  }
  NESTBIND_JUMP return known(number, a, b, c, d, e);
}
#else
NESTBIND_INTERPOSE NESTBIND_JUMPS long stand_before_syscall(long number, long a, long b, long c,
                                                            long d, long e, long f) noexcept
    asm("syscall");

long stand_before_syscall(long number, long a, long b, long c, long d, long e, long f) noexcept {
  SystemCall* known = next_or_kernel();
  if (is_noted(number)) {
    return make_and_note(known, {number, a, b, c, d, e, __builtin_return_address(0)});
  }
  auto* whole_call =
      reinterpret_cast<decltype(&stand_before_syscall)>(reinterpret_cast<void*>(known));
  NESTBIND_JUMP return whole_call(number, a, b, c, d, e, f);
}
#endif

#endif
