// SPDX-License-Identifier: BSD-3-Clause
#include "memory/restraint.hpp"

#include "memory/wide.hpp"

namespace nestbind::memory {
namespace {

bool is_better(const Traffic& before, const Traffic& now) {
  return Wide{now.local} * before.all() > Wide{before.local} * now.all() ||
         imbalance(now.to) < imbalance(before.to);
}

}  // namespace

bool Restraint::may_move(std::uintptr_t unit) const {
  const auto found = moved_.find(unit);
  return found == moved_.end() ||
         (found->second.times < kMostMoves && now_ > found->second.last + kCoolDown);
}

void Restraint::moved(std::uintptr_t unit, std::uint64_t region, const Traffics& before) {
  Moved& of_unit = moved_[unit];
  of_unit.last = now_;
  ++of_unit.times;
  Watched& watched = regions_[region];
  if (!watched.is_awaited) {
    watched.is_awaited = true;
    watched.since = now_;
    watched.before = before;
  }
}

Standing Restraint::judge(std::uint64_t region, const Traffics& now) {
  const auto found = regions_.find(region);
  if (found == regions_.end()) {
    return Standing::kFree;
  }
  Watched& watched = found->second;
  if (watched.is_awaited && now_ >= watched.since + kJudgedAfter && now.region.all() > 0) {
    watched.is_awaited = false;
    watched.is_stopped = watched.is_stopped || (!is_better(watched.before.region, now.region) &&
                                                !is_better(watched.before.all, now.all));
  }
  return standing(region);
}

Standing Restraint::standing(std::uint64_t region) const {
  const auto found = regions_.find(region);
  return found != regions_.end() && found->second.is_stopped ? Standing::kStopped : Standing::kFree;
}

void Restraint::forget(std::uint64_t region, const Range& range) {
  regions_.erase(region);
  std::erase_if(moved_, [&](const auto& unit) {
    return unit.first >= range.begin && unit.first < range.end;
  });
}

bool has_room(std::uint64_t free, std::uint64_t total) {
  constexpr unsigned kHundred = 100;
  return Wide{kHundred} * free >= Wide{Restraint::kLeastFree} * total;
}

}  // namespace nestbind::memory
