// SPDX-License-Identifier: BSD-3-Clause
// A loop's iterations as blocks whose owners may change: each member's share of a static schedule,
// in equal parts. So the blocks that a member begins with are what it has in a static schedule, and
// what was touched first by one of these is near. Pure.
#pragma once

#include <cstdint>

#include "loops/division.hpp"

namespace nestbind::loops {

class Blocks {
 public:
  // For each member; fewer are not worth it.
  static constexpr int kFewest = 2;
  static constexpr int kUsual = 12;

  // Of a loop of so many iterations, cut at multiples of grain only; members: 1 or more. wanted:
  // blocks for each member, at least 1.
  Blocks(std::uint64_t iterations, std::uint64_t grain, int members, int wanted);

  // As many as are wanted, or as the smallest share has grains. 0: there is a member without any.
  int each() const { return each_; }
  int count() const { return each_ * members_; }
  bool are_worth_it() const { return each_ >= kFewest; }

  // Who has a block in a static schedule.
  int first_owner(int block) const { return block / each_; }
  // Its iterations; not empty.
  Range range(int block) const { return joined(block, block + 1); }
  // Those of the blocks from `from` to `behind` - 1, more than none.
  Range joined(int from, int behind) const { return {begin(from), begin(behind)}; }

 private:
  std::uint64_t begin(int block) const;

  std::uint64_t iterations_;
  std::uint64_t grain_;
  int members_;
  int each_ = 0;
};

// floor(whole * part / parts), where that fits, for part and parts below 2^32: nothing overflows in
// between.
constexpr std::uint64_t portion(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

}  // namespace nestbind::loops
