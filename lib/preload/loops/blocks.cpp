// SPDX-License-Identifier: BSD-3-Clause
#include "loops/blocks.hpp"

#include <algorithm>

namespace nestbind::loops {

namespace {

std::uint64_t grains_in(std::uint64_t iterations, std::uint64_t grain) {
  return iterations / grain + (iterations % grain != 0 ? 1 : 0);
}

}  // namespace

Blocks::Blocks(std::uint64_t iterations, std::uint64_t grain, int members, int wanted)
    : iterations_(iterations), grain_(grain), members_(members) {
  const std::uint64_t smallest = grains_in(iterations, grain) / static_cast<std::uint64_t>(members);
  each_ = static_cast<int>(std::min(smallest, static_cast<std::uint64_t>(wanted)));
}

// If `block` is count(), returns the end of the loop.
std::uint64_t Blocks::begin(int block) const {
  if (block == count()) {
    return iterations_;
  }
  const Range share = even_share(iterations_, grain_, members_, first_owner(block));
  const std::uint64_t grains = grains_in(share.size(), grain_);
  return share.begin + grain_ * portion(grains, static_cast<std::uint64_t>(block % each_),
                                        static_cast<std::uint64_t>(each_));
}

}  // namespace nestbind::loops
