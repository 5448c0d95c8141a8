// SPDX-License-Identifier: BSD-3-Clause
// What was seen of one region, kept from interval to interval: what the kernel's samples tell now,
// and of the parts that were given a policy, which has no samples any more, what they told then.
// Who uses a unit is as true as before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "memory/samples.hpp"
#include "memory/seen.hpp"
#include "memory/units.hpp"

namespace nestbind::memory::apply {

// Where units are to be put together as if they were of huge pages: blocks of that size, wholly in
// the range, of which something was seen. Where the kernel makes huge pages of all that it can, it
// does so sooner or later of what was split, on one node. Where only of some, those of which not
// enough was seen of half of their units: a huge page has one hint fault a scan, maybe always at
// the same address. Whether pages are huge cannot be asked without making the kernel walk through
// all of them.
std::vector<Range> pooled_blocks(const Samples& samples, const Range& range, HugePages huge);

class Account {
 public:
  // The units of a range that were seen enough, in order, without homes: those that are held, and
  // the others as they are sampled now. Each weighs as many samples as it has pages.
  Seen seen(const Samples& samples, const Range& range, HugePages huge) const;

  // Whether several nodes use a region, as seen() told: a tenth of the samples are of units that
  // do. Where parts of two users meet there are always a few.
  static bool is_shared(const Seen& seen);

  // Keeps what was seen of a range, wholly: a policy of a part of what the program has mapped would
  // part the mapping, and mremap fails on several. What was not seen enough has no samples from
  // then on, so it is taken to be used as what is around it, kAround units on either side; where
  // that has one user it is left out, and stays where it is.
  static constexpr std::size_t kAround = 4;
  void hold(const Seen& seen, const Range& range, const PageSizes& sizes, HugePages huge);

  // What is held concerns nobody any more.
  void drop();

  // The range that is held; empty: none.
  const Range& held() const { return range_; }

 private:
  struct Held {
    Unit unit;
    std::vector<std::uint32_t> samples;
  };

  void fill(const Range& gap, bool may_be_huge, std::span<const std::uint32_t> samples,
            const PageSizes& sizes);

  std::map<std::uintptr_t, Held> held_;  // by the unit's first address
  Range range_;
};

}  // namespace nestbind::memory::apply
