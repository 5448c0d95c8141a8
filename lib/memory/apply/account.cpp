// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/account.hpp"

#include <algorithm>
#include <numeric>

namespace nestbind::memory::apply {
namespace {

constexpr std::uint32_t kWrites = 1;  // not known, and more than none

std::uintptr_t up_to(std::uintptr_t address, std::size_t size) {
  return (address + size - 1) / size * size;
}

bool is_pooled(const Samples& samples, std::uintptr_t block) {
  std::size_t seen = 0;
  std::size_t enough = 0;
  for (std::uintptr_t at = block; at < block + samples.sizes().huge; at += samples.sizes().unit()) {
    const std::size_t place = samples.place_of(at);
    if (place == samples.size()) {
      continue;
    }
    const auto counts = samples.counts(place);
    const std::uint32_t all = std::accumulate(counts.begin(), counts.end(), 0U);
    seen += all > 0 ? 1U : 0U;
    enough += all >= Samples::kEnough * Samples::kOne ? 1U : 0U;
  }
  return 2 * enough < seen;
}

bool has_one_user(const Seen& seen, std::size_t unit) {
  const auto samples = seen.samples(unit);
  return std::ranges::count(samples, 0U) + 1 == seen.nodes();
}

// Units that were seen enough: whether they are shared, in order.
struct Judged {
  Unit unit;
  bool is_shared = false;
  std::uint64_t samples = 0;
};

std::vector<Judged> judged(const Seen& seen) {
  std::vector<Judged> units;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen.all(i) >= Samples::kEnough) {
      units.push_back({seen.unit(i), !has_one_user(seen, i), seen.all(i)});
    }
  }
  return units;
}

// Own units in a row are left out where they are at least so many.
std::vector<Range> stretches_of(const std::vector<Judged>& units, std::size_t least_own) {
  std::vector<Range> stretches;
  std::size_t own = 0;
  for (const Judged& one : units) {
    if (!one.is_shared) {
      ++own;
      continue;
    }
    if (stretches.empty() || own >= least_own) {
      stretches.push_back({one.unit.begin, one.unit.end()});
    } else {
      stretches.back().end = one.unit.end();
    }
    own = 0;
  }
  return stretches;
}

}  // namespace

std::vector<Range> pooled_blocks(const Samples& samples, const Range& range) {
  std::vector<Range> blocks;
  const std::size_t huge = samples.sizes().huge;
  for (std::uintptr_t at = up_to(range.begin, huge); at + huge <= range.end; at += huge) {
    if (!is_pooled(samples, at)) {
      continue;
    }
    if (!blocks.empty() && blocks.back().end == at) {
      blocks.back().end = at + huge;
    } else {
      blocks.push_back({at, at + huge});
    }
  }
  return blocks;
}

Seen Account::seen(const Samples& samples, const Range& range, bool may_be_huge) const {
  const std::vector<Range> pooled =
      may_be_huge ? pooled_blocks(samples, range) : std::vector<Range>{};
  const Seen live = seen_in(samples, range, pooled, 1);
  Seen all(samples.nodes());
  std::size_t next = 0;
  std::uintptr_t behind = 0;  // the last held unit's end
  const auto add_live = [&](std::uintptr_t end) {
    for (; next < live.size() && live.unit(next).begin < end; ++next) {
      if (live.unit(next).begin >= behind && live.unit(next).end() <= end) {
        all.add(live.unit(next), -1, live.samples(next), kWrites);
      }
    }
  };
  for (auto held = held_.lower_bound(range.begin); held != held_.end() && held->first < range.end;
       ++held) {
    add_live(held->first);
    all.add(held->second.unit, -1, held->second.samples, kWrites);
    behind = held->second.unit.end();
  }
  add_live(range.end);
  return all;
}

std::vector<Range> Account::shared_stretches(const Seen& seen) {
  constexpr std::uint64_t kPartByChance = 20;  // as of interval.cpp
  const std::vector<Judged> units = judged(seen);
  std::uint64_t own = 0;
  std::uint64_t all = 0;
  for (const Judged& one : units) {
    own += one.is_shared ? 0 : one.samples;
    all += one.samples;
  }
  std::size_t least_own = own * kPartByChance < all ? units.size() + 1 : 4;
  std::vector<Range> stretches = stretches_of(units, least_own);
  while (stretches.size() > kMostStretches) {
    least_own *= 2;
    stretches = stretches_of(units, least_own);
  }
  return stretches;
}

void Account::hold_unit(const Unit& unit, std::span<const std::uint32_t> samples) {
  held_[unit.begin] = {unit, {samples.begin(), samples.end()}};
}

void Account::hold(const Seen& seen, const Range& stretch, const PageSizes& sizes) {
  drop(stretch);
  std::vector<std::uint32_t> like;  // what is before
  bool is_huge = false;             // likewise
  std::uintptr_t at = stretch.begin;
  const auto fill = [&](std::uintptr_t end) {
    const Range gap{at, std::max(at, end)};
    for (const Unit& unit : units_of(gap, std::span(&gap, is_huge ? 1 : 0), sizes)) {
      hold_unit(unit, like);
    }
  };
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Unit& unit = seen.unit(i);
    if (unit.begin < at || unit.end() > stretch.end || seen.all(i) < Samples::kEnough) {
      continue;
    }
    fill(unit.begin);
    const auto samples = seen.samples(i);
    like.assign(samples.begin(), samples.end());
    is_huge = unit.is_huge;
    hold_unit(unit, like);
    at = unit.end();
  }
  if (!like.empty()) {
    fill(stretch.end);
  }
  stretches_.push_back(stretch);
  std::ranges::sort(stretches_, {}, &Range::begin);
}

void Account::drop(const Range& range) {
  std::erase_if(held_, [&](const auto& held) {
    return held.first < range.end && held.second.unit.end() > range.begin;
  });
  std::erase_if(stretches_, [&](const Range& stretch) {
    return stretch.begin < range.end && stretch.end > range.begin;
  });
}

}  // namespace nestbind::memory::apply
