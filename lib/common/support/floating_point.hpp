// SPDX-License-Identifier: BSD-3-Clause
// The floating-point environment belongs to the program. The program may round upward, flush small
// numbers to zero, or enable traps. Our code runs in the program's threads. The environment
// must not affect our results, and our code must not change the environment. fesetenv(3) is not
// used, because it needs libm.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace nestbind::support {

// While this object lives, the calling thread rounds to nearest, without traps. The destructor
// restores the thread's environment.
class UsualFloatingPoint {
 public:
#if defined(__x86_64__)
  UsualFloatingPoint() : control_(_mm_getcsr()) {
    constexpr unsigned kUsual = 0x1f80;  // all exceptions masked, none raised
    _mm_setcsr(kUsual);
  }
  ~UsualFloatingPoint() { _mm_setcsr(control_); }
#elif defined(__aarch64__)
  UsualFloatingPoint() {
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(status_));
    asm volatile("msr fpcr, %0" ::"r"(std::uint64_t{0}));
  }
  ~UsualFloatingPoint() {
    asm volatile("msr fpsr, %1\n\tmsr fpcr, %0" ::"r"(control_), "r"(status_));
  }
#else
  UsualFloatingPoint() = default;
  ~UsualFloatingPoint() = default;
#endif
  UsualFloatingPoint(const UsualFloatingPoint&) = delete;
  UsualFloatingPoint& operator=(const UsualFloatingPoint&) = delete;

 private:
#if defined(__x86_64__)
  unsigned control_;
#elif defined(__aarch64__)
  std::uint64_t control_;
  std::uint64_t status_;
#endif
};

}  // namespace nestbind::support
