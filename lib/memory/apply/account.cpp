// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/account.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace nestbind::memory::apply {
namespace {

constexpr std::uint32_t kWrites = 1;  // not known, and more than none

std::uintptr_t up_to(std::uintptr_t address, std::size_t size) {
  return (address + size - 1) / size * size;
}

bool is_pooled(const Samples& samples, std::uintptr_t block, HugePages huge) {
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
  const std::size_t units = samples.sizes().huge / samples.sizes().unit();
  return seen > 0 && (huge == HugePages::kEverywhere || 2 * enough < units);
}

bool has_one_user(std::span<const std::uint32_t> samples) {
  return std::ranges::count(samples, 0U) + 1 == std::ssize(samples);
}

// As many samples as the unit has pages, kEnough for each, divided as its faults were: a hint fault
// weighs a page, or a huge page, and not how often it was used; and some are not sampled.
std::vector<std::uint32_t> weighed(std::span<const std::uint32_t> samples, std::size_t pages) {
  const std::uint64_t all = std::accumulate(samples.begin(), samples.end(), std::uint64_t{0});
  std::vector<std::uint32_t> weights;
  weights.reserve(samples.size());
  for (const std::uint64_t one : samples) {
    weights.push_back(static_cast<std::uint32_t>((one * Samples::kEnough * pages + all / 2) / all));
  }
  return weights;
}

// The samples of some of the judged units before place `next` of them, and from it on.
std::vector<std::uint32_t> around(const Seen& seen, std::span<const std::size_t> judged,
                                  std::size_t next) {
  std::vector<std::uint32_t> sum(static_cast<std::size_t>(seen.nodes()));
  const std::size_t first = next - std::min(next, Account::kAround);
  const std::size_t end = std::min(next + Account::kAround, judged.size());
  for (const std::size_t unit : judged.subspan(first, end - first)) {
    const auto samples = seen.samples(unit);
    std::transform(sum.begin(), sum.end(), samples.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

}  // namespace

std::vector<Range> pooled_blocks(const Samples& samples, const Range& range, HugePages huge) {
  std::vector<Range> blocks;
  const std::size_t size = samples.sizes().huge;
  for (std::uintptr_t at = up_to(range.begin, size);
       huge != HugePages::kNowhere && at + size <= range.end; at += size) {
    if (!is_pooled(samples, at, huge)) {
      continue;
    }
    if (!blocks.empty() && blocks.back().end == at) {
      blocks.back().end = at + size;
    } else {
      blocks.push_back({at, at + size});
    }
  }
  return blocks;
}

Seen Account::seen(const Samples& samples, const Range& range, HugePages huge) const {
  const std::vector<Range> pooled = pooled_blocks(samples, range, huge);
  const Seen live = seen_in(samples, range, pooled, Samples::kEnough);
  const std::size_t page = samples.sizes().page;
  Seen all(samples.nodes());
  std::size_t next = 0;
  std::uintptr_t behind = 0;  // the last held unit's end
  const auto add_live = [&](std::uintptr_t end) {
    for (; next < live.size() && live.unit(next).begin < end; ++next) {
      if (live.unit(next).begin >= behind && live.unit(next).end() <= end) {
        all.add(live.unit(next), -1, weighed(live.samples(next), live.unit(next).bytes / page),
                kWrites);
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

bool Account::is_shared(const Seen& seen) {
  constexpr std::uint64_t kPart = 10;  // a tenth
  std::uint64_t shared = 0;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::uint64_t samples = seen.all(i) >= Samples::kEnough ? seen.all(i) : 0;
    shared += has_one_user(seen.samples(i)) ? 0 : samples;
    all += samples;
  }
  return shared > 0 && shared * kPart >= all;
}

void Account::hold(const Seen& seen, const Range& range, const PageSizes& sizes, HugePages huge) {
  held_.clear();
  range_ = range;
  std::vector<std::size_t> judged;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Unit& unit = seen.unit(i);
    const std::uintptr_t behind = judged.empty() ? range.begin : seen.unit(judged.back()).end();
    if (unit.begin >= behind && unit.end() <= range.end && seen.all(i) >= Samples::kEnough) {
      judged.push_back(i);
      held_[unit.begin] = {unit, {seen.samples(i).begin(), seen.samples(i).end()}};
    }
  }
  std::uintptr_t at = range.begin;
  for (std::size_t next = 0; next <= judged.size() && !judged.empty(); ++next) {
    const bool is_last = next == judged.size();
    // In units of pages it would be ordered to several nodes, and goes whole to the last of them.
    const bool may_be_huge = huge == HugePages::kEverywhere ||
                             (next > 0 && seen.unit(judged[next - 1]).is_huge) ||
                             (!is_last && seen.unit(judged[next]).is_huge);
    fill({at, is_last ? range.end : seen.unit(judged[next]).begin}, may_be_huge,
         around(seen, judged, next), sizes);
    at = is_last ? range.end : seen.unit(judged[next]).end();
  }
}

// A gap between what was seen enough.
void Account::fill(const Range& gap, bool may_be_huge, std::span<const std::uint32_t> samples,
                   const PageSizes& sizes) {
  if (gap.bytes() == 0 || has_one_user(samples)) {
    return;
  }
  for (const Unit& unit : units_of(gap, std::span(&gap, may_be_huge ? 1 : 0), sizes)) {
    held_[unit.begin] = {unit, weighed(samples, unit.bytes / sizes.page)};
  }
}

void Account::drop() {
  held_.clear();
  range_ = {};
}

}  // namespace nestbind::memory::apply
