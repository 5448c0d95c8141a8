// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/areas.hpp"

#include <algorithm>

namespace nestbind::memory::apply {

bool overlaps(const Area& area, const Range& range) {
  return area.range.begin < range.end && area.range.end > range.begin;
}

bool is_free(const Range& range, std::span<const Area> areas) {
  std::uintptr_t at = range.begin;
  auto area =
      std::ranges::upper_bound(areas, at, {}, [](const Area& one) { return one.range.end; });
  for (; area != areas.end() && area->range.begin <= at && area->bar == Bar::kNone; ++area) {
    at = area->range.end;
  }
  return at >= range.end;
}

Bar bar_of(const Range& range, std::span<const Area> areas) {
  const auto barred = std::ranges::find_if(
      areas, [&](const Area& area) { return overlaps(area, range) && area.bar != Bar::kNone; });
  return barred == areas.end() ? Bar::kNone : barred->bar;
}

bool is_spread(const Range& range, std::span<const Area> areas) {
  return is_free(range, areas) && std::ranges::none_of(areas, [&](const Area& area) {
           return overlaps(area, range) && !area.is_spread;
         });
}

Why why_of(Bar bar) {
  switch (bar) {
    case Bar::kLocked:
      return Why::kLocked;
    case Bar::kPolicy:
      return Why::kPolicy;
    case Bar::kUntold:
      return Why::kRefused;
    default:
      return Why::kFile;
  }
}

}  // namespace nestbind::memory::apply
