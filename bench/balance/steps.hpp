// SPDX-License-Identifier: BSD-3-Clause
// A loop that comes back every step, in virtual time: its blocks go to the threads that own them,
// the rest of a list is taken by who is nearest, and owners change by what was measured. All that
// decides is the library's own; here are clocks, and what blocks take.
#pragma once

#include <cstdint>
#include <vector>

#include "balance/lists.hpp"
#include "programs.hpp"

namespace nestbind::simulation {

// 16 threads on 4 nodes, 12 blocks each. Where a block takes 1, it takes 1.5 on another node than
// its own, and each step is up to 5 % off, both ways.
inline constexpr int kThreads = 16;
inline constexpr int kNodes = 4;
inline constexpr int kBlocks = 12 * kThreads;

enum class Shape {
  kEven,         // 1 each
  kRamp,         // from 0.5 to 1.5
  kHot,          // 4 in the first sixteenth
  kPatches,      // 4 in a fifth of all, in patches of some ten blocks
  kAlternating,  // one half takes four times as long as the other one, in each step the other half
  kByThree,      // the same, but the first half in two of three steps
  kByFour,       // two steps the first half, two the other one
  kByChance,     // one half or the other, in each step by chance
  kDisturbed,    // 1 each, but one of fifty takes 20, other ones in each step
  kAlternatingDisturbed  // as it says
};

enum class Way {
  kLists,    // the lists of a static schedule, which never change
  kBalanced  // looked at, as the schedule `balanced` does
};

struct Outcome {
  double time = 0;      // of all steps, over that of perfect ones at home
  double remote = 0;    // blocks that ran on another node than their own, per cent
  int moved = 0;        // owners that have changed
  int last_change = 0;  // the last step behind which some have
  bool is_good = true;  // each block has run once in each step, and behind the last one nothing
};

// open: what of a list others may take, in 1/balance::kWhole.
Outcome simulate_steps(Shape shape, Way way, int stealable, int steps, std::uint64_t seed);

}  // namespace nestbind::simulation
