// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/touches.hpp"

#include <algorithm>
#include <limits>

namespace nestbind::memory {

namespace {

constexpr std::size_t kFewestSlots = 4096;
constexpr std::uint64_t kPagesOfUnit = kUnitBytes / kPageBytes;
constexpr std::uint64_t kUnitsOfBlock = kBlockBytes / kUnitBytes;

// Spreads neighbours (Knuth's multiplicative hash).
std::size_t hash(std::uint64_t number) {
  return static_cast<std::size_t>((number * 0x9E3779B97F4A7C15ULL) >> 20);
}

}  // namespace

void settle_by_most(std::span<TouchedUnit> units) {
  constexpr std::size_t kMost = 90;  // per cent
  std::size_t known = 0;
  std::size_t alike = 0;
  for (const TouchedUnit& unit : units) {
    const bool is_known = unit.home >= 0 && unit.is_own;
    known += is_known ? 1U : 0U;
    alike += is_known && unit.home == unit.first_index ? 1U : 0U;
  }
  if (100 * alike < kMost * known) {
    return;
  }
  for (TouchedUnit& unit : units) {
    unit.home = unit.is_own ? unit.first_index : unit.home;
  }
}

TouchedUnit* Touches::slot_of(std::uint64_t number) {
  const std::size_t mask = units_.size() - 1;
  std::size_t at = hash(number) & mask;
  while (units_[at].number != 0 && units_[at].number != number) {
    at = (at + 1) & mask;
  }
  return &units_[at];
}

TouchedUnit* Touches::make(std::uint64_t number) {
  if (2 * (count_ + 1) > units_.size()) {
    support::MappedVector<TouchedUnit> before;
    before.swap(units_);
    units_.resize(std::max(kFewestSlots, 2 * before.size()));
    for (const TouchedUnit& unit : before) {
      if (unit.number != 0) {
        *slot_of(unit.number) = unit;
      }
    }
  }
  TouchedUnit* unit = slot_of(number);
  if (unit->number == 0) {
    if (is_full()) {
      return nullptr;
    }
    unit->number = number;
    ++count_;
  }
  return unit;
}

TouchedUnit* Touches::find(std::uint64_t unit) {
  TouchedUnit* found = units_.empty() ? nullptr : slot_of(unit);
  return found != nullptr && found->number == unit ? found : nullptr;
}

const TouchedUnit* Touches::find(std::uint64_t unit) const {
  return const_cast<Touches*>(this)->find(unit);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

bool may_be_one_page(std::span<const TouchedUnit> units) {
  int home = -1;
  for (const TouchedUnit& unit : units) {
    const int own = unit.is_own ? int{unit.home} : -1;
    if (home >= 0 && own >= 0 && own != home) {
      return false;
    }
    home = home < 0 ? own : home;
  }
  return true;
}

support::MappedVector<TouchedUnit> units_inside(std::span<const TouchedUnit> units,
                                                std::uint64_t begin, std::uint64_t end) {
  support::MappedVector<TouchedUnit> inside;
  for (const TouchedUnit& unit : units) {
    if (unit.number * kUnitBytes >= begin && (unit.number + 1) * kUnitBytes <= end) {
      inside.push_back(unit);
    }
  }
  if (inside.empty()) {
    inside.insert(inside.end(), units.begin(), units.end());
  }
  return inside;
}

bool Touches::is_present(std::uint64_t address) const {
  const TouchedUnit* unit = find(address / kUnitBytes);
  return unit != nullptr && (unit->present >> (address / kPageBytes % kPagesOfUnit) & 1U) != 0;
}

bool Touches::is_hint(const Sample& sample) const {
  const TouchedUnit* unit = find(sample.address / kUnitBytes);
  return is_present(sample.address) && (!unit->is_own || sample.time >= unit->first_time);
}

std::uint32_t Touches::code_number(std::uint64_t code) {
  const auto found = std::ranges::find(codes_, code);
  if (found != codes_.end() || codes_.size() >= kMostCodes) {
    return static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(found - codes_.begin(), kMostCodes - 1));
  }
  if (codes_.capacity() == 0) {
    codes_.reserve(kMostCodes);
  }
  codes_.push_back(code);
  return static_cast<std::uint32_t>(codes_.size() - 1);
}

// A processor's samples come after another's that were taken later: the earliest is the first.
void Touches::touch_first(TouchedUnit& unit, const Sample& sample, std::uint64_t code, int index) {
  const std::uint64_t block = sample.address / kBlockBytes;
  // Most often it is the latest one.
  const bool is_fresh =
      fresh_.empty() || (fresh_.back().block != block &&
                         std::ranges::find(fresh_, block, &Fresh::block) == fresh_.end());
  const bool is_first = unit.first_pages == 0 || (unit.is_own && sample.time < unit.first_time);
  if (is_first || is_fresh) {
    const std::uint32_t number = code_number(code);
    if (is_first) {
      unit.first_time = sample.time;
      unit.first_thread = sample.thread;
      unit.first_code = number;
      unit.first_index = static_cast<std::int16_t>(index);
      unit.is_own = true;
    }
    if (is_fresh) {
      fresh_.push_back({block, sample.thread, number, index});
    }
  }
  ++unit.first_pages;
  first_touches_ += sample.weight;
}

void Touches::add_use(TouchedUnit& unit, int index, std::uint64_t count) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint16_t>::max();
  std::uint16_t& use = unit.use[index];
  use = static_cast<std::uint16_t>(std::min(use + count, kMost));
}

void Touches::add(const Sample& sample, std::uint64_t code, int index, bool may_be_hint) {
  TouchedUnit* unit = make(sample.address / kUnitBytes);
  if (unit == nullptr) {
    return;
  }
  index = std::clamp(index, 0, kMostCountedNodes - 1);
  const auto bit = static_cast<std::uint16_t>(1U << (sample.address / kPageBytes % kPagesOfUnit));
  const bool was_present = (unit->present & bit) != 0;
  unit->present |= bit;
  if (was_present && may_be_hint) {
    hints_ += sample.weight;
    if (!unit->is_own || sample.time >= unit->first_time) {
      add_use(*unit, index, sample.weight);
      return;
    }
    // What was taken for the first touch was a hint: that one came later.
    add_use(*unit, unit->first_index, 1);
    unit->first_pages = 0;
    first_touches_ -= std::min(first_touches_, sample.weight);
  } else if (was_present) {  // given back, and touched again
    unit->first_pages = 0;
    unit->home = -1;
  }
  touch_first(*unit, sample, code, index);
}

void Touches::note_present(std::uint64_t block, std::span<const bool, 512> present) {
  const auto fresh = std::ranges::find(fresh_, block, &Fresh::block);
  const Fresh first = fresh == fresh_.end() ? Fresh{} : *fresh;
  const bool is_known = fresh != fresh_.end();
  // Within a block, what no sample told of is the neighbour's.
  std::uint32_t thread = first.thread;
  std::uint32_t code = first.code;
  int index = is_known ? first.index : -1;
  for (std::uint64_t i = 0; i < kUnitsOfBlock; ++i) {
    std::uint16_t bits = 0;
    for (std::uint64_t page = 0; page < kPagesOfUnit; ++page) {
      bits |= static_cast<std::uint16_t>((present[i * kPagesOfUnit + page] ? 1U : 0U) << page);
    }
    const std::uint64_t number = block * kUnitsOfBlock + i;
    const TouchedUnit* known = find(number);
    if (known != nullptr && known->first_pages > 0) {
      thread = known->first_thread;
      code = known->first_code;
      index = int{known->first_index};
    }
    if (bits == 0 || (known == nullptr && !is_known)) {
      continue;
    }
    TouchedUnit* unit = make(number);
    if (unit == nullptr) {
      return;
    }
    if (unit->first_pages == 0) {
      unit->first_thread = thread;
      unit->first_code = code;
      unit->first_index = static_cast<std::int16_t>(index);
      unit->first_pages = 1;
    }
    unit->present |= bits;
  }
}

void Touches::note_home(TouchedUnit& unit, int index) {
  unit.home = static_cast<std::int16_t>(index);
  unsettled_.push_back(unit.number);
}

void Touches::settle_homes() {
  for (const std::uint64_t number : unsettled_) {
    TouchedUnit* unit = find(number);
    if (unit != nullptr && unit->home >= 0 && unit->use[unit->home] > 0) {
      unit->home = unit->is_own ? unit->first_index : std::int16_t{-1};
    }
  }
  unsettled_.clear();
}

void Touches::adopt(std::uint64_t block, std::span<const bool, 512> present) {
  for (std::uint64_t i = 0; i < kUnitsOfBlock; ++i) {
    for (std::uint64_t page = 0; page < kPagesOfUnit; ++page) {
      TouchedUnit* unit =
          present[i * kPagesOfUnit + page] ? make(block * kUnitsOfBlock + i) : nullptr;
      if (unit != nullptr) {
        unit->present |= static_cast<std::uint16_t>(1U << page);
      }
    }
  }
}

// Open addressing has no holes: the others are put in anew.
void Touches::forget(std::uint64_t begin, std::uint64_t end) {
  const auto is_inside = [&](const TouchedUnit& unit) {
    return unit.number >= begin / kUnitBytes && unit.number < (end + kUnitBytes - 1) / kUnitBytes;
  };
  if (std::ranges::none_of(units_, is_inside)) {
    return;
  }
  support::MappedVector<TouchedUnit> before;
  before.swap(units_);
  units_.resize(before.size());
  count_ = 0;
  for (const TouchedUnit& unit : before) {
    if (unit.number != 0 && !is_inside(unit)) {
      *slot_of(unit.number) = unit;
      ++count_;
    }
  }
}

}  // namespace nestbind::memory
