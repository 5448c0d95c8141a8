// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/asked.hpp"

namespace nestbind::memory {

void settle_hidden(std::span<std::int16_t> asked, std::span<const std::int16_t> before) {
  for (std::size_t i = 0; i < asked.size() && i < before.size(); ++i) {
    if (asked[i] == kIsHidden && before[i] >= 0) {
      asked[i] = before[i];
    }
  }
}

Whereabouts whereabouts_of(std::uint64_t bytes, std::span<const std::int16_t> asked) {
  std::uint64_t there = 0;
  std::uint64_t known = 0;
  std::uint64_t on[kMostCountedNodes] = {};
  for (const std::int16_t index : asked) {
    there += index != kIsAbsent ? 1U : 0U;
    if (index >= 0) {
      ++on[index];
      ++known;
    }
  }
  Whereabouts found;
  if (asked.empty()) {
    return found;
  }
  found.there = bytes * there / asked.size();
  for (int index = 0; index < kMostCountedNodes && known > 0; ++index) {
    found.bytes_on[index] = found.there * on[index] / known;
  }
  return found;
}

}  // namespace nestbind::memory
