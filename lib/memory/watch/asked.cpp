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
  std::uint64_t on[kMostColumns] = {};
  for (const std::int16_t column : asked) {
    there += column != kIsAbsent ? 1U : 0U;
    if (column >= 0) {
      ++on[column];
      ++known;
    }
  }
  Whereabouts found;
  if (asked.empty()) {
    return found;
  }
  found.there = bytes * there / asked.size();
  for (int column = 0; column < kMostColumns && known > 0; ++column) {
    found.bytes_on[column] = found.there * on[column] / known;
  }
  return found;
}

}  // namespace nestbind::memory
