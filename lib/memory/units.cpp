// SPDX-License-Identifier: BSD-3-Clause
#include "memory/units.hpp"

#include <algorithm>

#include "memory/wide.hpp"

namespace nestbind::memory {
namespace {

constexpr std::uintptr_t down_to(std::uintptr_t address, std::size_t size) {
  return address & ~(static_cast<std::uintptr_t>(size) - 1);
}

bool is_whole_in(std::span<const Range> ranges, const Unit& unit) {
  const auto behind = std::upper_bound(
      ranges.begin(), ranges.end(), unit.begin,
      [](std::uintptr_t begin, const Range& range) { return begin < range.begin; });
  return behind != ranges.begin() && unit.end() <= std::prev(behind)->end;
}

}  // namespace

Unit unit_at(std::uintptr_t address, std::span<const Range> huge, const PageSizes& sizes) {
  const Unit whole{down_to(address, sizes.huge), sizes.huge, true};
  return is_whole_in(huge, whole) ? whole
                                  : Unit{down_to(address, sizes.unit()), sizes.unit(), false};
}

Unit cut(const Unit& unit, const Range& range) {
  const std::uintptr_t begin = std::max(unit.begin, range.begin);
  return {begin, std::min(unit.end(), range.end) - begin, unit.is_huge};
}

std::vector<Unit> units_of(const Range& range, std::span<const Range> huge,
                           const PageSizes& sizes) {
  std::vector<Unit> units;
  units.reserve(range.bytes() / (huge.empty() ? sizes.unit() : sizes.huge) + 2);
  for (std::uintptr_t at = range.begin; at < range.end; at = units.back().end()) {
    units.push_back(cut(unit_at(at, huge, sizes), range));
  }
  return units;
}

std::uint64_t bytes_allowed(std::uint64_t process_bytes, std::uint64_t microseconds) {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  constexpr std::uint64_t kSecond = 1000000;
  constexpr std::uint64_t kPart = 10;  // a tenth
  const Wide tenth = Wide{process_bytes} * microseconds / kPart / kSecond;
  return tenth < kMost ? static_cast<std::uint64_t>(tenth) : kMost;
}

std::vector<std::size_t> batches(std::span<const Unit> units, std::uint64_t bytes) {
  std::vector<std::size_t> ends;
  std::uint64_t batch = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (batch > 0 && (batch >= bytes || units[i].bytes > bytes - batch)) {
      ends.push_back(i);
      batch = 0;
    }
    batch += units[i].bytes;
  }
  if (batch > 0) {
    ends.push_back(units.size());
  }
  return ends;
}

}  // namespace nestbind::memory
