// SPDX-License-Identifier: BSD-3-Clause
// Divides the iterations of a loop into blocks whose owners may change. Each member's share of a
// static schedule is cut into blocks, which the member owns at first. So data that a static
// schedule touched first are local at first.
#pragma once

#include <cstdint>

#include "loops/division.hpp"

namespace nestbind::loops {

class Blocks {
 public:
  // Fewer than kFewest blocks are not worth balancing.
  static constexpr int kFewest = 2;
  static constexpr int kUsual = 12;

  // Cuts a loop at multiples of `grain`, into at most `wanted` blocks for each member. `wanted` and
  // `members` are at least 1.
  Blocks(std::uint64_t iterations, std::uint64_t grain, int members, int wanted);

  // Returns the number of blocks of each member, which may be 0.
  int each() const { return each_; }
  int count() const { return each_ * members_; }
  bool are_worth_it() const { return each_ >= kFewest; }

  int first_owner(int block) const { return block / each_; }
  // No block is empty.
  Range range(int block) const { return joined(block, block + 1); }
  Range joined(int from, int behind) const { return {begin(from), begin(behind)}; }

 private:
  std::uint64_t begin(int block) const;

  std::uint64_t iterations_;
  std::uint64_t grain_;
  int members_;
  int each_ = 0;
};

// Returns floor(whole * part / parts), which must fit into 64 bits. If `part` and `parts` are below
// 2^32, no intermediate result overflows.
constexpr std::uint64_t portion(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

}  // namespace nestbind::loops
