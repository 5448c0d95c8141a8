// SPDX-License-Identifier: BSD-3-Clause
// Who was seen to use which memory: counts by unit of 16 pages and by node, decayed scan by scan.
// Samples of page faults say who touched a page first in a scan, not how often: one scan
// means little, so several count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "memory/units.hpp"

namespace nestbind::memory {

// A table whose size is settled when it is made. For one thread at a time. Memory: bytes().
class Samples {
 public:
  // A sample is worth 16 when it comes, and an eighth less with each scan that ends: what comes
  // steadily counts as much as the last 8 scans would without decay.
  static constexpr std::uint16_t kOne = 16;
  static constexpr unsigned kScans = 8;
  // A unit is judged from so many samples on.
  static constexpr std::uint32_t kEnough = 4;

  // units: at most so many are kept at a time, 1 or more; nodes: 1 to kMostNodes. Throws bad_alloc.
  Samples(std::size_t units, int nodes, const PageSizes& sizes);

  // One access to an address from a node below nodes(). Whether it was counted: not where the table
  // is full. Allocates nothing.
  bool add(std::uintptr_t address, int node, bool is_write) noexcept;

  // A scan is over: all counts decay, and units of which nothing is left make place for others.
  // Allocates nothing.
  void end_scan() noexcept;

  // What was seen of a range is no longer true: it was moved. Allocates nothing.
  void forget(const Range& range) noexcept;

  int nodes() const { return nodes_; }
  const PageSizes& sizes() const { return sizes_; }
  std::size_t size() const { return used_; }  // units with counts
  std::size_t capacity() const { return capacity_; }
  std::uint64_t taken() const { return taken_; }  // samples, since the beginning
  std::uint64_t lost() const { return lost_; }    // likewise, those that found the table full
  std::size_t bytes() const;

  // The unit of place i below size(), in no particular order; until the next end_scan or forget.
  std::uintptr_t address(std::size_t i) const { return numbers_[i] * sizes_.unit(); }
  std::span<const std::uint16_t> counts(std::size_t i) const;  // by node, kOne for a sample
  std::uint16_t writes(std::size_t i) const;                   // likewise

 private:
  std::size_t slot_of(std::uintptr_t number) const;
  void compact() noexcept;

  PageSizes sizes_;
  int nodes_;
  std::size_t capacity_;
  std::size_t used_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t lost_ = 0;
  // Of units, in the order in which they came: address / unit, and a row of nodes_ counts and the
  // writes.
  std::vector<std::uintptr_t> numbers_;
  std::vector<std::uint16_t> rows_;
  // Open addressing: a place + 1, or 0. At most half of it is used.
  std::vector<std::uint32_t> index_;
};

// Units of a region, in order of addresses, with what was seen of them in whole samples.
class Seen {
 public:
  explicit Seen(int nodes) : nodes_(nodes) {}

  void add(const Unit& unit, int home, std::span<const std::uint32_t> samples,
           std::uint32_t writes);

  int nodes() const { return nodes_; }
  std::size_t size() const { return units_.size(); }
  const Unit& unit(std::size_t i) const { return units_[i]; }
  // The node that it is on; -1: not known, or on none. The caller reads it from the kernel.
  int home(std::size_t i) const { return homes_[i]; }
  void set_home(std::size_t i, int home) { homes_[i] = home; }
  std::span<const std::uint32_t> samples(std::size_t i) const;  // by node
  std::uint32_t writes(std::size_t i) const { return writes_[i]; }
  std::uint64_t all(std::size_t i) const;  // samples of the unit

 private:
  int nodes_;
  std::vector<Unit> units_;
  std::vector<int> homes_;
  std::vector<std::uint32_t> samples_;
  std::vector<std::uint32_t> writes_;
};

// What was seen of a range: the units with at least `enough` samples. Where huge pages are (in
// order, disjoint), what was seen of all their parts is put together. Counts are rounded to whole
// samples, halves up, when they are together. Their homes are not known (-1). Units are cut at the
// range's ends.
Seen seen_in(const Samples& samples, const Range& range, std::span<const Range> huge,
             std::uint32_t enough);

}  // namespace nestbind::memory
