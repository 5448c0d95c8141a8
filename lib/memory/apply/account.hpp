// SPDX-License-Identifier: BSD-3-Clause
// What was seen of one region, kept from interval to interval: what the kernel's samples tell now,
// and of the parts that were given a policy, which has no samples any more, what they told then.
// Who uses a unit is as true as before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "memory/samples.hpp"
#include "memory/seen.hpp"
#include "memory/units.hpp"

namespace nestbind::memory::apply {

// Where units are to be put together as if they were of huge pages: blocks of that size, wholly in
// the range, of which something was seen, but not enough of most of their units. A huge page has
// one hint fault a scan, anywhere in it. Whether pages are huge cannot be asked without making the
// kernel walk through all of them.
std::vector<Range> pooled_blocks(const Samples& samples, const Range& range);

class Account {
 public:
  // The units of a range, in order, without homes: those that are held, and the others as they are
  // sampled now.
  Seen seen(const Samples& samples, const Range& range, bool may_be_huge) const;

  // Stretches of a region's units (as seen() told) that several nodes use: where hardly any unit
  // has one user, from the first to the last; otherwise without the stretches of one user. At most
  // kMostStretches: short stretches of one user are taken in until there are no more.
  static constexpr std::size_t kMostStretches = 64;
  static std::vector<Range> shared_stretches(const Seen& seen);

  // Keeps what was seen of a stretch. What lies in it, and was not seen enough, is taken to be used
  // as what is before it.
  void hold(const Seen& seen, const Range& stretch, const PageSizes& sizes);

  // What is held there concerns nobody any more.
  void drop(const Range& range);

  bool has_held() const { return !held_.empty(); }
  // Stretches that are held, in order, disjoint.
  const std::vector<Range>& stretches() const { return stretches_; }

 private:
  struct Held {
    Unit unit;
    std::vector<std::uint32_t> samples;
  };
  void hold_unit(const Unit& unit, std::span<const std::uint32_t> samples);

  std::map<std::uintptr_t, Held> held_;  // by the unit's first address
  std::vector<Range> stretches_;
};

}  // namespace nestbind::memory::apply
