// SPDX-License-Identifier: BSD-3-Clause
// System calls without the C library's syscall(), because nestbind and other tools have hooks for
// that function. system_call() sets errno like syscall(), and is no cancellation point.
#pragma once

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <type_traits>

namespace nestbind::support {

// Returns the kernel's answer. A negative number is an error.
#if defined(__x86_64__)
inline long kernel_answer(long number, long a, long b, long c, long d, long e, long f) {
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = e;
  register long sixth asm("r9") = f;
  long answer = 0;
  asm volatile("syscall"
               : "=a"(answer)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return answer;
}
#elif defined(__aarch64__)
inline long kernel_answer(long number, long a, long b, long c, long d, long e, long f) {
  register long called asm("x8") = number;
  register long first asm("x0") = a;
  register long second asm("x1") = b;
  register long third asm("x2") = c;
  register long fourth asm("x3") = d;
  register long fifth asm("x4") = e;
  register long sixth asm("x5") = f;
  asm volatile("svc 0"
               : "+r"(first)
               : "r"(called), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
               : "memory");
  return first;
}
#else  // nestbind has no hook of syscall() on this processor
inline long kernel_answer(long number, long a, long b, long c, long d, long e, long f) {
  const int before = errno;
  const long answer = syscall(number, a, b, c, d, e, f);
  const long told = answer == -1 ? -errno : answer;
  errno = before;
  return told;
}
#endif

[[gnu::always_inline]] inline long in_errno(long answer) {
  constexpr long kMostErrors = 4095;
  if (answer < 0 && answer >= -kMostErrors) {
    errno = static_cast<int>(-answer);
    return -1;
  }
  return answer;
}

template <typename Argument>
long as_word(Argument argument) {
  if constexpr (std::is_pointer_v<Argument>) {
    return reinterpret_cast<long>(argument);
  } else if constexpr (std::is_null_pointer_v<Argument>) {
    return 0;
  } else {
    return static_cast<long>(argument);
  }
}

template <typename... Arguments>
long system_call(long number, Arguments... arguments) {
  static_assert(sizeof...(arguments) <= 6);
  const long words[6] = {as_word(arguments)...};
  return in_errno(
      kernel_answer(number, words[0], words[1], words[2], words[3], words[4], words[5]));
}

}  // namespace nestbind::support
