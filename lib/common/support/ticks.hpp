// SPDX-License-Identifier: BSD-3-Clause
// A clock for "has a moment passed?", which costs a few instructions.
#pragma once

#include <cstdint>

#include "support/clock.hpp"

namespace nestbind::support {

#if defined(__x86_64__)
inline constexpr std::uint64_t kMoment = 100000000;  // 20 to 100 ms: processors count at 1 to 5 GHz
inline std::uint64_t ticks() { return __builtin_ia32_rdtsc(); }
#else
inline constexpr std::uint64_t kMoment = 100;
inline std::uint64_t ticks() { return static_cast<std::uint64_t>(milliseconds_now()); }
#endif

}  // namespace nestbind::support
