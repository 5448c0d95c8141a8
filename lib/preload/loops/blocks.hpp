// SPDX-License-Identifier: BSD-3-Clause
// A loop's iterations as blocks whose owners may change: each member's share of a static schedule
// is cut into equal blocks. So at first each member has the iterations of a static schedule, and
// data that a static schedule touched first are local. Makes no system calls.
#pragma once

#include <cstdint>

#include "loops/division.hpp"

namespace nestbind::loops {

class Blocks {
 public:
  // The number of blocks for each member. With fewer than kFewest, balancing is not worth it.
  static constexpr int kFewest = 2;
  static constexpr int kUsual = 12;

  // Cuts a loop at multiples of `grain`. wanted: blocks for each member, at least 1. members: at
  // least 1.
  Blocks(std::uint64_t iterations, std::uint64_t grain, int members, int wanted);

  // The number of blocks of each member: `wanted`, or the number of grains in the smallest share if
  // that number is lower. May be 0.
  int each() const { return each_; }
  int count() const { return each_ * members_; }
  bool are_worth_it() const { return each_ >= kFewest; }

  // The owner of a block in a static schedule.
  int first_owner(int block) const { return block / each_; }
  // The iterations of a block; not empty.
  Range range(int block) const { return joined(block, block + 1); }
  // The iterations of the blocks from `from` to `behind` - 1; at least one block.
  Range joined(int from, int behind) const { return {begin(from), begin(behind)}; }

 private:
  std::uint64_t begin(int block) const;

  std::uint64_t iterations_;
  std::uint64_t grain_;
  int members_;
  int each_ = 0;
};

// floor(whole * part / parts), if this fits. If part and parts are below 2^32, no step overflows.
constexpr std::uint64_t portion(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

}  // namespace nestbind::loops
