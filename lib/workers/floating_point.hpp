// SPDX-License-Identifier: BSD-3-Clause
// Rounding, flushing and traps: what a new thread inherits from the one that creates it, and a kept
// one has to take over.
#pragma once

#include <stdint.h>

namespace nestbind::workers {

class FloatingPoint {
 public:
  static FloatingPoint of_this_thread() {
    FloatingPoint now;
#if defined(__x86_64__)
    uint32_t vector = 0;
    asm volatile("stmxcsr %0" : "=m"(vector));
    asm volatile("fnstcw %0" : "=m"(now.x87_));
    now.control_ = vector & ~kRaised;
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(now.control_));
#endif
    return now;
  }

  // Makes them the calling thread's.
  void adopt() const {
    if (*this == of_this_thread()) {
      return;
    }
#if defined(__x86_64__)
    const auto vector = static_cast<uint32_t>(control_);
    asm volatile("ldmxcsr %0" : : "m"(vector));
    asm volatile("fldcw %0" : : "m"(x87_));
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(control_));
#endif
  }

  bool operator==(const FloatingPoint&) const = default;

 private:
  static constexpr uint32_t kRaised = 0x3f;  // exceptions that have happened
  uint64_t control_ = 0;
  uint16_t x87_ = 0;
};

}  // namespace nestbind::workers
