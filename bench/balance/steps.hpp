// SPDX-License-Identifier: BSD-3-Clause
// A loop that repeats in every step, in virtual time: 16 threads on 4 nodes, 12 blocks each. The
// library's own code decides; only the times of iterations are simulated. On another node than its
// own an iteration takes 1.5 times as long.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nestbind::simulation {

inline constexpr int kThreads = 16;
inline constexpr int kNodes = 4;
inline constexpr int kBlocks = 12 * kThreads;
inline constexpr int kChange = 400;  // the loads of some shapes change after this step

enum class Shape {
  kEven,                  // 1 each
  kRamp,                  // from 0.5 to 1.5
  kHot,                   // 4 in the first sixteenth
  kPatches,               // 4 in a fifth of all blocks, in patches of some ten blocks
  kAlternating,           // one half takes four times as long, in each step the other half
  kByThree,               // the same, but the first half is heavy in two of three steps
  kByFour,                // two steps the first half, then two steps the other
  kByChance,              // a random half in each step
  kDisturbed,             // 1 each, but one block in fifty takes 20, other blocks in each step
  kAlternatingDisturbed,  // both
  kEvenThenHot,           // 1 each; kHot after kChange
  kMoved,                 // kHot; after kChange 4 in the ninth sixteenth instead
  kRampTurned,            // kRamp; after kChange from 1.5 to 0.5
  kDrift,                 // 4 in a sixteenth that moves by a block every ten steps
  kWave                   // 1 + 0.6 sin: a wave that passes the loop once in 2,000 steps
};

struct Outcome {
  std::vector<double> time;  // of each step, divided by the time of a perfect step at home
  double remote = 0;         // blocks that ran on another node than their own, per cent
  int moved = 0;             // how many owners have changed
  int last_change = 0;       // the last step with new owners
  bool is_good = true;       // each step has run all iterations

  // Over steps [from, behind), counted from 0.
  double mean(int from, int behind) const;
  double mean() const { return mean(0, static_cast<int>(time.size())); }
};

// noise: the deviation of each block's time in each step, up and down.
Outcome simulate_steps(Shape shape, const std::string& schedule, int steps, std::uint64_t seed,
                       double noise = 0.05, int nodes = kNodes);

}  // namespace nestbind::simulation
