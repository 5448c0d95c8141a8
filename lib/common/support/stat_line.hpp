// SPDX-License-Identifier: BSD-3-Clause
// Reads the line of /proc/PID/stat for a process or a thread (proc(5)).
#pragma once

#include <string.h>

#include <cstdint>

#include "support/decimal.hpp"

namespace nestbind::support {

enum StatField {
  kState = 3,
  kUserTicks = 14,
  kSystemTicks = 15,
  kThreads = 20,
  kStartTicks = 22,
  kStartOfCode = 26,
  kStartOfStack = 28,
  kProcessor = 39,
  kStartOfHeap = 47
};

// Returns the beginning of a field, or null if the line has fewer fields. field: 3 or more. Field
// 2, the program's name, may contain blanks and ")".
inline const char* stat_field(const char* line, int field) {
  const char* at = strrchr(line, ')');
  for (int number = 2; at != nullptr && number < field; ++number) {
    at = strchr(at + 1, ' ');
  }
  return at == nullptr ? nullptr : at + 1;
}

inline std::uint64_t stat_number(const char* line, int field) {
  const char* at = stat_field(line, field);
  return at == nullptr ? 0 : take_decimal(at, nullptr, kAnyDecimal);
}

// Returns a number that changes when the process executes another program, because it is made from
// the program's addresses. Returns 0 if the caller has no permission to see these addresses.
inline std::uint64_t image_of(const char* line) {
  const std::uint64_t stack = stat_number(line, kStartOfStack);
  constexpr std::uint64_t kPrime = 0x100000001b3;
  return stack == 0 ? 0
                    : ((stat_number(line, kStartOfCode) * kPrime ^ stack) * kPrime ^
                       stat_number(line, kStartOfHeap)) |
                          1;
}

}  // namespace nestbind::support
