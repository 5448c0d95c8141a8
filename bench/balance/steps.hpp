// SPDX-License-Identifier: BSD-3-Clause
// A loop that is executed in every step, in virtual time: 16 threads on 4 nodes, with 12 blocks for
// each thread. Only the times of the iterations are simulated. An iteration takes 1.5 times as long
// on a node that is not its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nestbind::simulation {

inline constexpr int kThreads = 16;
inline constexpr int kNodes = 4;
inline constexpr int kBlocks = 12 * kThreads;
inline constexpr int kChange = 400;  // the loads of some shapes change after this step

// A heavy half has four times the load of the other half.
enum class Shape {
  kEven,         // all blocks have load 1
  kRamp,         // the load rises from 0.5 to 1.5
  kHot,          // the first sixteenth of the blocks has load 4, the rest has load 1
  kPatches,      // a fifth of all blocks has load 4, in patches of about ten blocks
  kAlternating,  // the heavy half changes in each step
  kByThree,      // the first half is heavy in two of three steps
  kByFour,       // the heavy half changes every two steps
  kByChance,     // a random half is heavy in each step
  kDisturbed,    // each block has load 1, or load 20 with a probability of 2 %
  kAlternatingDisturbed,
  kEvenThenHot,  // kEven until step kChange, then kHot
  kMoved,        // the hot blocks move to the middle after step kChange
  kRampTurned,
  kDrift,  // the hot blocks move by one block every ten steps
  kWave    // a sine wave of loads, which moves once over the loop in 2,000 steps
};

struct Outcome {
  std::vector<double> time;  // 1 for a perfect, local step
  double remote = 0;         // blocks that ran on a node that is not their own, per cent
  int moved = 0;             // how often a block has got a new owner
  int last_change = 0;       // the last step after which a block had a new owner
  bool is_good = true;

  double mean(int from, int behind) const;
  double mean() const { return mean(0, static_cast<int>(time.size())); }
};

// The time of a block is its load times a random factor from 1 - noise to 1 + noise.
Outcome simulate_steps(Shape shape, const std::string& schedule, int steps, std::uint64_t seed,
                       double noise = 0.05, int nodes = kNodes);

}  // namespace nestbind::simulation
