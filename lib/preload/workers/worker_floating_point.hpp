// SPDX-License-Identifier: BSD-3-Clause
// The floating-point state: rounding, flushing, traps and raised exceptions. A new thread inherits
// this state from its creator, so it is copied to a kept worker at each call.
#pragma once

#include <stdint.h>

namespace nestbind::workers {

class FloatingPoint {
 public:
  static FloatingPoint of_this_thread() {
    FloatingPoint now;
#if defined(__x86_64__)
    uint16_t status = 0;
    asm volatile("stmxcsr %0" : "=m"(now.vector_));
    asm volatile("fnstcw %0" : "=m"(now.x87_control_));
    asm volatile("fnstsw %0" : "=a"(status));
    now.x87_raised_ = status & kRaised;
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(now.control_));
    asm volatile("mrs %0, fpsr" : "=r"(now.status_));
#endif
    return now;
  }

  void adopt() const {
    const FloatingPoint now = of_this_thread();
#if defined(__x86_64__)
    if (vector_ != now.vector_) {
      asm volatile("ldmxcsr %0" : : "m"(vector_));
    }
    if (x87_control_ != now.x87_control_ || x87_raised_ != now.x87_raised_) {
      adopt_x87();
    }
#elif defined(__aarch64__)
    if (control_ != now.control_) {
      asm volatile("msr fpcr, %0" : : "r"(control_));
    }
    if (status_ != now.status_) {
      asm volatile("msr fpsr, %0" : : "r"(status_));
    }
#endif
  }

 private:
#if defined(__x86_64__)
  // Bits of the status word. kRaised has the exceptions and the stack fault. The kDerived bits
  // depend on the kRaised bits.
  static constexpr uint16_t kRaised = 0x007f;
  static constexpr uint16_t kDerived = 0x8080;

  struct Environment {
    uint16_t control, unused1, status, unused2;
    uint32_t more[5];
  };

  // Loads control word and status word together. A control word alone could enable the trap of an
  // exception that is raised already. Nothing traps before the load: fnstenv masks all exceptions.
  void adopt_x87() const {
    Environment environment;
    asm volatile("fnstenv %0" : "=m"(environment));
    environment.control = x87_control_;
    environment.status =
        static_cast<uint16_t>((environment.status & ~(kRaised | kDerived)) | x87_raised_);
    asm volatile("fldenv %0" : : "m"(environment));
  }

  uint32_t vector_ = 0;
  uint16_t x87_control_ = 0;
  uint16_t x87_raised_ = 0;
#elif defined(__aarch64__)
  uint64_t control_ = 0;
  uint64_t status_ = 0;
#endif
};

}  // namespace nestbind::workers
