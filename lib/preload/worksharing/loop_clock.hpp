// SPDX-License-Identifier: BSD-3-Clause
// The clock that measures loops is the processor's counter if all processors count at one speed.
// Otherwise this clock is the system's clock in nanoseconds, which is slow for small loops.
#pragma once

#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "loops/estimate.hpp"

namespace nestbind::worksharing {

struct Clock {
  bool has_counter = false;
  double per_nanosecond = 1;  // ticks in a nanosecond
};
// Only start_clock() writes to g_clock.
extern Clock g_clock;

void start_clock();

inline loops::Ticks nanoseconds_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  constexpr loops::Ticks kSecond = 1000000000;
  return static_cast<loops::Ticks>(time.tv_sec) * kSecond + static_cast<loops::Ticks>(time.tv_nsec);
}

inline loops::Ticks counter() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  loops::Ticks ticks = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

inline loops::Ticks now() { return g_clock.has_counter ? counter() : nanoseconds_now(); }

inline loops::Ticks ticks_in(loops::Ticks nanoseconds) {
  return static_cast<loops::Ticks>(static_cast<double>(nanoseconds) * g_clock.per_nanosecond);
}
inline loops::Ticks nanoseconds_in(loops::Ticks ticks) {
  return static_cast<loops::Ticks>(static_cast<double>(ticks) / g_clock.per_nanosecond);
}

// The time to take a chunk in nanoseconds, if the queue's cache line comes from another core.
inline constexpr loops::Ticks kTake = 100;

}  // namespace nestbind::worksharing
