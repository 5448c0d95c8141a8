// SPDX-License-Identifier: BSD-3-Clause
#include "worksharing/loop_clock.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace nestbind::worksharing {

constinit Clock g_clock{};

namespace {

// Whether the counters of all processors run at one speed, even if their frequencies change.
bool counts_evenly() {
#if defined(__x86_64__)
  constexpr unsigned kPowerManagement = 0x80000007;
  constexpr unsigned kInvariant = 1U << 8;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(kPowerManagement, &a, &b, &c, &d) != 0 && (d & kInvariant) != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

}  // namespace

void start_clock() {
  if (!counts_evenly()) {
    return;
  }
  constexpr loops::Ticks kLong = 20000;
  const loops::Ticks begun = nanoseconds_now();
  const loops::Ticks counted = counter();
  loops::Ticks passed = 0;
  while (passed < kLong) {
    passed = nanoseconds_now() - begun;
  }
  const double speed = static_cast<double>(counter() - counted) / static_cast<double>(passed);
  // lib/preload/loops needs at least 10 ticks in a microsecond.
  constexpr double kLeast = 0.01;
  if (speed >= kLeast) {
    g_clock = {.has_counter = true, .per_nanosecond = speed};
  }
}

}  // namespace nestbind::worksharing
