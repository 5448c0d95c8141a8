// SPDX-License-Identifier: BSD-3-Clause
// The line of /proc/PID/stat, of a process or a thread: proc(5).
#pragma once

#include <string.h>

#include <cstdint>

#include "support/decimal.hpp"

namespace nestbind::support {

// The numbers of fields, as proc(5) has them.
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

// Where a field begins; null where the line is shorter. field: 3 or more. A program's name may have
// blanks and parentheses in it.
inline const char* stat_field(const char* line, int field) {
  const char* at = strrchr(line, ')');
  for (int number = 2; at != nullptr && number < field; ++number) {
    at = strchr(at + 1, ' ');
  }
  return at == nullptr ? nullptr : at + 1;
}

// Its value; 0 where it is not there, or no number.
inline std::uint64_t stat_number(const char* line, int field) {
  const char* at = stat_field(line, field);
  return at == nullptr ? 0 : take_decimal(at, nullptr, kAnyDecimal);
}

// Stands for the program that a process has executed: an exec has other addresses. 0: not known,
// for those who may not see them.
inline std::uint64_t image_of(const char* line) {
  const std::uint64_t stack = stat_number(line, kStartOfStack);
  constexpr std::uint64_t kPrime = 0x100000001b3;
  return stack == 0 ? 0
                    : ((stat_number(line, kStartOfCode) * kPrime ^ stack) * kPrime ^
                       stat_number(line, kStartOfHeap)) |
                          1;
}

}  // namespace nestbind::support
