// SPDX-License-Identifier: BSD-3-Clause
// What was seen of a region, for those who judge it: units in order, in whole samples, with where
// they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/metrics.hpp"
#include "memory/samples.hpp"
#include "memory/units.hpp"

namespace nestbind::memory {

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

// The accesses that were seen, by the node that the memory is on. Units whose home is not known do
// not count.
Traffic traffic_of(const Seen& seen);

}  // namespace nestbind::memory
