// SPDX-License-Identifier: BSD-3-Clause
// The time that loops are measured by: nanoseconds, without a system call.
#pragma once

#include <time.h>

#include "loops/estimate.hpp"

namespace nestbind::sharing {

inline loops::Ticks now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  constexpr loops::Ticks kSecond = 1000000000;
  return static_cast<loops::Ticks>(time.tv_sec) * kSecond + static_cast<loops::Ticks>(time.tv_nsec);
}

// What a take from a queue costs: a cache line that comes from another thread.
inline constexpr loops::Ticks kTake = 100;

}  // namespace nestbind::sharing
