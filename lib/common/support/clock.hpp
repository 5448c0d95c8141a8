// SPDX-License-Identifier: BSD-3-Clause
// The C library's nanosleep() is a cancellation point, but nap() is not.
#pragma once

#include <time.h>

#include <cstdint>

#include "support/system_call.hpp"

namespace nestbind::support {

// Returns a time with the resolution of one tick of the kernel. Makes no system call.
inline long milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

inline void nap(long microseconds) {
  const timespec time{microseconds / 1000000, microseconds % 1000000 * 1000};
  system_call(SYS_nanosleep, &time, nullptr);
}

// A clock for "has a moment passed?", which costs a few instructions.

#if defined(__x86_64__)
inline constexpr std::uint64_t kMoment = 100000000;  // 20 to 100 ms: processors count at 1 to 5 GHz
inline std::uint64_t ticks() { return __builtin_ia32_rdtsc(); }
#else
inline constexpr std::uint64_t kMoment = 100;
inline std::uint64_t ticks() { return static_cast<std::uint64_t>(milliseconds_now()); }
#endif

}  // namespace nestbind::support
