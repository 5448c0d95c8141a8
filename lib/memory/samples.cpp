// SPDX-License-Identifier: BSD-3-Clause
#include "memory/samples.hpp"

#include <algorithm>
#include <bit>

namespace nestbind::memory {
namespace {

// Down by an eighth, rounded up, so that it comes to 0.
constexpr std::uint16_t decayed(std::uint16_t count) {
  constexpr unsigned kScans = Samples::kScans;
  return static_cast<std::uint16_t>(count - (count + kScans - 1) / kScans);
}

// One sample more; it stays at the most that it holds.
constexpr void add_one(std::uint16_t& count) {
  constexpr std::uint16_t kMost = 65535;
  count = count > kMost - Samples::kOne ? kMost : static_cast<std::uint16_t>(count + Samples::kOne);
}

}  // namespace

Samples::Samples(std::size_t units, int nodes, const PageSizes& sizes)
    : sizes_(sizes), nodes_(nodes), capacity_(units) {
  numbers_.resize(capacity_);
  rows_.resize(row(capacity_));
  index_.resize(std::bit_ceil(2 * capacity_));
}

std::size_t Samples::bytes() const {
  return numbers_.size() * sizeof(numbers_[0]) + rows_.size() * sizeof(rows_[0]) +
         index_.size() * sizeof(index_[0]);
}

// Where the unit of this number stands in the index, or would.
std::size_t Samples::slot_of(std::uintptr_t number) const {
  // Fibonacci hashing: neighbours, which come together, are far apart.
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
  constexpr int kBits = 64;
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = number * kGolden >> (kBits - std::countr_zero(index_.size()));
  while (index_[slot] != 0 && numbers_[index_[slot] - 1] != number) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

bool Samples::add(std::uintptr_t address, int node, bool is_write) noexcept {
  ++taken_;
  const std::uintptr_t number = address / sizes_.unit();
  std::uint32_t& place = index_[slot_of(number)];
  if (place == 0) {
    if (used_ == capacity_) {
      ++lost_;
      return false;
    }
    numbers_[used_] = number;
    std::fill_n(rows_.begin() + static_cast<std::ptrdiff_t>(row(used_)), nodes_ + 1,
                std::uint16_t{0});
    place = static_cast<std::uint32_t>(++used_);
  }
  std::uint16_t* const counts = &rows_[row(place - 1)];
  add_one(counts[node]);
  if (is_write) {
    add_one(counts[nodes_]);
  }
  return true;
}

void Samples::end_scan() noexcept {
  const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(row(used_));
  std::transform(rows_.begin(), end, rows_.begin(), decayed);
  keep_counted();
  index_anew();
}

// Moves the units of which something is left to the front.
void Samples::keep_counted() noexcept {
  const std::size_t before = used_;
  used_ = 0;
  for (std::size_t i = 0; i < before; ++i) {
    const std::span<const std::uint16_t> seen = counts(i);
    if (std::all_of(seen.begin(), seen.end(), [](std::uint16_t count) { return count == 0; })) {
      continue;
    }
    numbers_[used_] = numbers_[i];
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(row(i)), nodes_ + 1,
                rows_.begin() + static_cast<std::ptrdiff_t>(row(used_)));
    ++used_;
  }
}

void Samples::index_anew() noexcept {
  std::fill(index_.begin(), index_.end(), 0);
  for (std::size_t i = 0; i < used_; ++i) {
    index_[slot_of(numbers_[i])] = static_cast<std::uint32_t>(i + 1);
  }
}

void Samples::forget(const Range& range) noexcept {
  const std::uintptr_t first = range.begin / sizes_.unit();
  const std::uintptr_t last = range.bytes() == 0 ? first : (range.end - 1) / sizes_.unit() + 1;
  for (std::size_t i = 0; i < used_; ++i) {
    if (numbers_[i] >= first && numbers_[i] < last) {
      std::fill_n(rows_.begin() + static_cast<std::ptrdiff_t>(row(i)), nodes_ + 1,
                  std::uint16_t{0});
    }
  }
}

std::span<const std::uint16_t> Samples::counts(std::size_t i) const {
  return {&rows_[row(i)], static_cast<std::size_t>(nodes_)};
}

std::uint16_t Samples::writes(std::size_t i) const {
  return rows_[row(i) + static_cast<std::size_t>(nodes_)];
}

std::size_t Samples::place_of(std::uintptr_t address) const {
  const std::uint32_t place = index_[slot_of(address / sizes_.unit())];
  return place == 0 ? used_ : place - 1;
}

}  // namespace nestbind::memory
