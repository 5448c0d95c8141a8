// SPDX-License-Identifier: BSD-3-Clause
// Who was seen to use which memory: counts by unit of 16 pages and by node, decayed scan by scan.
// Samples of page faults say who touched a page first in a scan, not how often: one scan
// means little, so several count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/units.hpp"

namespace nestbind::memory {

// A table whose size is settled when it is made. For one thread at a time. Memory: bytes().
class Samples {
 public:
  // A sample is worth 16 when it comes, and an eighth less with each scan that ends, rounded down:
  // what comes steadily counts almost as the last 8 scans would without decay, and what does not
  // come again is nothing after 12.
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

  // What was seen of a range concerns nobody any more: it was unmapped. Its units' counts are 0
  // until the scan ends. Not for what was moved: who uses it is as true as before. Allocates
  // nothing.
  void forget(const Range& range) noexcept;

  int nodes() const { return nodes_; }
  const PageSizes& sizes() const { return sizes_; }
  std::size_t size() const { return used_; }  // units with counts
  std::size_t capacity() const { return capacity_; }
  std::uint64_t taken() const { return taken_; }  // samples, since the beginning
  std::uint64_t lost() const { return lost_; }    // likewise, those that found the table full
  std::size_t bytes() const;

  // The unit of place i below size(), in no particular order; until the next end_scan.
  std::uintptr_t address(std::size_t i) const { return numbers_[i] * sizes_.unit(); }
  std::span<const std::uint16_t> counts(std::size_t i) const;  // by node, kOne for a sample
  std::uint16_t writes(std::size_t i) const;                   // likewise
  // The place of the unit that an address is in; size() where nothing was seen of it.
  std::size_t place_of(std::uintptr_t address) const;

 private:
  std::size_t slot_of(std::uintptr_t number) const;
  void keep_counted() noexcept;
  void index_anew() noexcept;
  std::size_t row(std::size_t i) const { return i * (static_cast<std::size_t>(nodes_) + 1); }

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

}  // namespace nestbind::memory
