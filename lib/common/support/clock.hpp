// SPDX-License-Identifier: BSD-3-Clause
// The C library's nanosleep() is a cancellation point, but nap() is not.
#pragma once

#include <time.h>

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

}  // namespace nestbind::support
