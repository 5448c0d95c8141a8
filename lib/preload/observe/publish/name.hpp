// SPDX-License-Identifier: BSD-3-Clause
// The name of the file of a process: the user, the namespace of process numbers, the process
// number, and the start time. From the name, a reader can find out whether the process still runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "support/decimal.hpp"

namespace nestbind::publish {

struct Name {
  std::uint64_t user = 0;
  std::uint64_t space = 0;  // inode of the namespace of process numbers
  std::uint64_t process = 0;
  std::uint64_t start = 0;
  bool operator==(const Name&) const = default;
};

inline constexpr char kPrefix[] = "nestbind-";
inline constexpr std::size_t kMostName = sizeof kPrefix + std::size_t{4} * 21;

inline void print(const Name& name, char (&text)[kMostName]) {
  snprintf(text, sizeof text, "%s%llu-%llu-%llu-%llu", kPrefix,
           static_cast<unsigned long long>(name.user), static_cast<unsigned long long>(name.space),
           static_cast<unsigned long long>(name.process),
           static_cast<unsigned long long>(name.start));
}

// Returns false unless the text is exactly what print() writes.
inline bool parse(const char* text, Name& name) {
  for (const char* c = kPrefix; *c != '\0'; ++c, ++text) {
    if (*text != *c) {
      return false;
    }
  }
  std::uint64_t* const numbers[] = {&name.user, &name.space, &name.process, &name.start};
  for (int i = 0; i < 4; ++i) {
    const char* const first = text;
    const std::uint64_t number = support::take_decimal(text, nullptr, support::kAnyDecimal);
    if (text == first || (*first == '0' && text != first + 1) || number > support::kAnyDecimal ||
        *text != (i < 3 ? '-' : '\0')) {
      return false;
    }
    text += i < 3 ? 1 : 0;
    *numbers[i] = number;
  }
  return true;
}

}  // namespace nestbind::publish
