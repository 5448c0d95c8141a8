// SPDX-License-Identifier: BSD-3-Clause
// A loop that comes back every step, in virtual time: 16 threads on 4 nodes, 12 blocks each.
// All that decides is the library's own; here is what iterations take. On
// another node than its own one takes 1.5 times as long.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nestbind::simulation {

inline constexpr int kThreads = 16;
inline constexpr int kNodes = 4;
inline constexpr int kBlocks = 12 * kThreads;
inline constexpr int kChange = 400;  // the step after which the loads of some shapes change

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
  kAlternatingDisturbed,  // as it says
  kEvenThenHot,           // 1 each, and kHot from kChange on
  kMoved,                 // kHot, and from kChange on 4 in the ninth sixteenth instead
  kRampTurned,            // kRamp, and from kChange on from 1.5 to 0.5
  kDrift,                 // 4 in a sixteenth that moves a block every ten steps
  kWave                   // 1 + 0.6 sin, a wave that goes once through the loop in 2,000 steps
};

struct Outcome {
  std::vector<double> time;  // of each step, over that of a perfect one at home
  double remote = 0;         // blocks that ran on another node than their own, per cent
  int moved = 0;             // owners that have changed
  int last_change = 0;       // the last step before which some have
  bool is_good = true;       // as many iterations have run in each step as there are

  // Over steps [from, behind), counted from 0.
  double mean(int from, int behind) const;
  double mean() const { return mean(0, static_cast<int>(time.size())); }
};

// noise: by how much each block is off in each step, both ways.
Outcome simulate_steps(Shape shape, const std::string& schedule, int steps, std::uint64_t seed,
                       double noise = 0.05, int nodes = kNodes);

}  // namespace nestbind::simulation
