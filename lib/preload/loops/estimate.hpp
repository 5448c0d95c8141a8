// SPDX-License-Identifier: BSD-3-Clause
// The static fraction and the chunk from measurements. Pure, and in integers: a thread of the
// program computes this, in its own floating-point environment.
//
// The bound on f is that of Donfack, Grigori, Gropp and Kale (2012). Let thread i be delayed by
// delta_i. Perfect balance ends at T_p + mean(delta), and the worst thread ends its static part at
// f T_p + max(delta). So nothing is lost if f <= 1 - (max(delta) - mean(delta)) / T_p. delta_i is
// the time of thread i's static block minus the team's mean, scaled to f = 1.
#pragma once

#include <cstdint>

#include "loops/schedule.hpp"

namespace nestbind::loops {

// Time in any unit, the same everywhere; at least 10 ticks in a microsecond.
using Ticks = std::uint64_t;

// The measurements of one execution of a loop.
struct Sample {
  int members = 0;       // that were measured
  int team = 0;          // threads of the team
  Ticks most = 0;        // the longest time in a static block
  Ticks block_time = 0;  // of all static blocks together
  std::uint64_t block_iterations = 0;
  Ticks busy_time = 0;           // of all measured members, from their begin to their end
  std::uint64_t iterations = 0;  // that the measured members ran
};

// The known figures of a loop; all zero: nothing is known yet.
struct Estimate {
  static constexpr std::uint64_t kOne = 65536;
  std::uint64_t excess = 0;          // (max - mean) / T_p, in 1/kOne; weighted mean of executions
  std::uint64_t iteration_time = 0;  // t_1, in 1/256 ticks; also a weighted mean
  Ticks region_time = 0;             // T_p; also a weighted mean
  std::uint32_t samples = 0;
};

// Takes one execution into account: each figure moves by 0.3 towards the new figure; the first
// execution sets it. An execution without static iterations does not change the excess. Samples
// without members or time change nothing.
Estimate updated(const Estimate& estimate, const Sample& sample);

// f = 1 - 1.2 * excess, rounded down to 1/kParts. At least 1/kParts: a static block to measure.
// 0.5: not known. 1: the largest gain (a region's excess) is less than two takes at `take` each.
int static_parts_for(const Estimate& estimate, Ticks take);

// The chunk c, with q for `take`: q / (c t_1) <= 2 %, and c t_1 <= 1 % of T_p. If both are
// impossible, the first holds, since takes ruin loops with short iterations. Between these bounds,
// c is doubled while q (1 - f) T_p / (c t_1) + c t_1 / 2 falls: the cost of takes and of the end. A
// power of two, so that it does not change all the time. Call this only if something is known.
std::uint64_t chunk_for(const Estimate& estimate, int static_parts, Ticks take);

// The chunk that is used, for a measured chunk and a loop of so many iterations: at most a thread's
// share, and at least a 1024th of it. Smaller chunks would gain half a thousandth. They would ruin
// a loop of 2^63 iterations of which a compiler has left only the end.
std::uint64_t bounded_chunk(std::uint64_t chunk, std::uint64_t iterations, int threads);

// The chunk while nothing is known of a loop: a thirty-second of a thread's share.
std::uint64_t default_chunk(std::uint64_t iterations, int threads);

// A member's speed, for weighted shares: iterations per time, relative to the team's mean.
struct Speed {
  static constexpr std::uint32_t kMean = 4096;
  static constexpr std::uint32_t kLeast = kMean / 16;
  static constexpr std::uint32_t kMost = 16 * kMean;
};

// A member's new weight: `weight` (0: not known yet), moved by 0.3 towards what was measured. The
// measurement: the member's static iterations and their time, and those of the whole team. Between
// Speed::kLeast and Speed::kMost. If nothing was measured: `weight`, or Speed::kMean.
std::uint32_t updated_weight(std::uint32_t weight, std::uint64_t iterations, Ticks time,
                             std::uint64_t team_iterations, Ticks team_time);

}  // namespace nestbind::loops
