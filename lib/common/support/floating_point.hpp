// SPDX-License-Identifier: BSD-3-Clause
// The program owns its floating-point environment: it may round upward, flush small numbers, or
// have traps on, and what we compute in one of its threads must neither notice that nor leave flags
// after. Without libm, whose fesetenv(3) does the same.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace nestbind::support {

// As long as it lives the calling thread computes in doubles as C begins: to the nearest, without
// traps. Then all is as it was, flags as well.
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
