// SPDX-License-Identifier: BSD-3-Clause
// The masks of planned places, which libnestbind-planner.so passes to other libraries.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "machine/machine.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

using mask::kWordBits;

// Makes masks, and keeps each different mask once. No mask is ever freed.
class Masks {
 public:
  // cpu_limit: the highest processor number, plus one.
  explicit Masks(int cpu_limit)
      : words_((cpu_limit + kWordBits - 1) / kWordBits), latest_with_(cpu_limit, kNone) {}

  CpuMask of(const machine::Machine& machine, const std::vector<int>& slots);

  CpuMask of(const machine::Slot& slot);

 private:
  struct OfSlot {
    const unsigned long* bits;
    std::size_t cpus;
    std::size_t earlier;  // index of the previous entry with the same first processor
  };
  static constexpr std::size_t kNone = -1;

  std::size_t bytes() const { return words_ * sizeof(unsigned long); }
  unsigned long* new_bits();

  std::size_t words_;
  std::set<std::vector<unsigned long>> areas_;
  std::vector<std::vector<unsigned long>> blocks_;
  std::vector<OfSlot> slots_;
  std::vector<std::size_t> latest_with_;  // for each processor an index into slots_, or kNone
};

}  // namespace nestbind::planner
