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

enum class Shape {
  kEven,         // all blocks have load 1
  kRamp,         // the load rises from 0.5 to 1.5
  kHot,          // load 4 in the first sixteenth, 1 in the others
  kPatches,      // load 4 in a fifth of all blocks, in patches of about ten blocks
  kAlternating,  // in odd steps the first half has four times the load, else the second
  kByThree,      // the first half is heavy in two of three steps
  kByFour,       // the first half is heavy in two steps, then the second half in two
  kByChance,     // a random half is heavy in each step
  kDisturbed,    // load 1, but a random one in fifty blocks has 20
  kAlternatingDisturbed,
  kEvenThenHot,  // all 1; after kChange as kHot
  kMoved,        // as kHot; after kChange only the ninth sixteenth is heavy
  kRampTurned,   // kRamp; after kChange the load is from 1.5 to 0.5
  kDrift,        // one sixteenth has load 4, and moves by one block in ten steps
  kWave          // load 1 + 0.6 sin: a wave that goes once over the loop in 2,000 steps
};

struct Outcome {
  std::vector<double> time;  // of each step, divided by the time of a perfect, local step
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
