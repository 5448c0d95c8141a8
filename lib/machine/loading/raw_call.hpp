// SPDX-License-Identifier: BSD-3-Clause
// System calls through no function of the C library: nobody stands before them, none is a point of
// cancellation, and errno stays as it is. Inside lib/machine/loading.
#pragma once

#include <sys/syscall.h>

#include <cerrno>

#include "support/system_call.hpp"

namespace nestbind::machine::loading {

// Both return what the kernel does: an error is its negative number.

inline long raw_call(long number, long a = 0, long b = 0, long c = 0, long d = 0) {
  return support::kernel_answer(number, a, b, c, d, 0, 0);
}

// Where the processor is not known here, no process can be made.
#if defined(__x86_64__)

// Makes a process that calls function(argument) on a stack of its own, and does not return from it.
inline long raw_clone(unsigned long flags, void* stack_end, void (*function)(void*),
                      void* argument) {
  register long no_child_tid asm("r10") = 0;
  register long no_tls asm("r8") = 0;
  register auto* const called asm("r9") = function;
  long result = 0;
  asm volatile(
      "syscall\n\t"
      "testq %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xorl %%ebp, %%ebp\n\t"
      "movq %[argument], %%rdi\n\t"
      "callq *%[called]\n\t"
      "ud2\n"
      "1:"
      : "=a"(result)
      : "a"(static_cast<long>(SYS_clone)), "D"(flags), "S"(stack_end), "d"(0L), "r"(no_child_tid),
        "r"(no_tls), [called] "r"(called), [argument] "b"(argument)
      : "rcx", "r11", "cc", "memory");
  return result;
}

#elif defined(__aarch64__)

inline long raw_clone(unsigned long flags, void* stack_end, void (*function)(void*),
                      void* argument) {
  register long number asm("x8") = SYS_clone;
  register long result asm("x0") = static_cast<long>(flags);
  register void* stack asm("x1") = stack_end;
  register long no_parent_tid asm("x2") = 0;
  register long no_tls asm("x3") = 0;
  register long no_child_tid asm("x4") = 0;
  register auto* const called asm("x5") = function;
  register void* const handed asm("x6") = argument;
  asm volatile(
      "svc #0\n\t"
      "cbnz x0, 1f\n\t"
      "mov x29, xzr\n\t"
      "mov x0, x6\n\t"
      "blr x5\n\t"
      "brk #0\n"
      "1:"
      : "+r"(result)
      : "r"(number), "r"(stack), "r"(no_parent_tid), "r"(no_tls), "r"(no_child_tid), "r"(called),
        "r"(handed)
      : "cc", "memory");
  return result;
}

#else

inline long raw_clone(unsigned long, void*, void (*)(void*), void*) { return -ENOSYS; }

#endif

}  // namespace nestbind::machine::loading
