// SPDX-License-Identifier: BSD-3-Clause
// The static fraction and the chunk by measurement. Pure, and in integers: whoever computes this is
// a thread of the program, whose floating-point environment is its own.
//
// The bound on f is that of Donfack, Grigori, Gropp and Kale (2012): if thread i is held up by
// delta_i, perfect balance ends at T_p + mean(delta), and the worst thread ends its static part at
// f T_p + max(delta). So nothing is lost as long as f <= 1 - (max(delta) - mean(delta)) / T_p.
// delta_i is the time of thread i's static block, less the team's mean, scaled to f = 1.
#pragma once

#include <cstdint>

#include "loops/schedule.hpp"

namespace nestbind::loops {

// Time in any unit, the same everywhere; counted in at least 10 for a microsecond.
using Ticks = std::uint64_t;

// What was measured in one execution of a loop, over the members of the team.
struct Sample {
  int members = 0;       // that were measured
  int team = 0;          // threads of the team
  Ticks most = 0;        // the longest time in a static block
  Ticks block_time = 0;  // of all static blocks together
  std::uint64_t block_iterations = 0;
  Ticks busy_time = 0;           // of all members, from their begin to their end
  std::uint64_t iterations = 0;  // that these members ran
};

// What is known of a loop; all zero: nothing yet.
struct Estimate {
  static constexpr std::uint64_t kOne = 65536;
  std::uint64_t excess = 0;          // (max - mean) / T_p, in 1/kOne; weighted mean of executions
  std::uint64_t iteration_time = 0;  // t_1, in 1/256 ticks; likewise
  Ticks region_time = 0;             // T_p; likewise
  std::uint32_t samples = 0;
};

// Takes one execution in: each figure moves by 0.3 towards it, and is it the first time. An
// execution without static iterations says nothing of the excess, which stays. Samples without
// members or time change nothing.
Estimate updated(const Estimate& estimate, const Sample& sample);

// f = 1 - 1.2 * excess, rounded down to 1/kParts, not below 1/kParts, so that there is a static
// block to be measured; 0.5 where nothing is known. 1 where all that could be gained (the excess of
// one region) costs less than two takes at `take` each.
int static_parts_for(const Estimate& estimate, Ticks take);

// The chunk c: q / (c t_1) <= 2 %, and c t_1 <= 1 % of T_p; where both cannot be, the first, since
// fine loops are killed by takes. In between, as long as a doubling makes the costs of takes and of
// the end, q (1 - f) T_p / (c t_1) + c t_1 / 2, smaller. A power of two, so that it does not change
// all the time. Only where something is known.
std::uint64_t chunk_for(const Estimate& estimate, int static_parts, Ticks take);

// The chunk that is used, of the one that was measured, in a loop of so many iterations: at most a
// thread's share, and at least a 1024th of it. Smaller ones would gain half a thousandth, and kill
// a loop of 2^63 iterations of which a compiler has left nothing but their end.
std::uint64_t bounded_chunk(std::uint64_t chunk, std::uint64_t iterations, int threads);

// The chunk as long as nothing is known of a loop: a thirty-second of a thread's share.
std::uint64_t default_chunk(std::uint64_t iterations, int threads);

// A member's speed, for shares by weight: iterations for a time, relative to the team's mean.
struct Speed {
  static constexpr std::uint32_t kMean = 4096;
  static constexpr std::uint32_t kLeast = kMean / 16;
  static constexpr std::uint32_t kMost = 16 * kMean;
};

// The weight of a member, moved by 0.3 from `weight` (0: not known yet) towards what was measured:
// its static iterations and their time, and those of the whole team. Between Speed::kLeast and
// Speed::kMost; `weight`, or Speed::kMean, where nothing was measured.
std::uint32_t updated_weight(std::uint32_t weight, std::uint64_t iterations, Ticks time,
                             std::uint64_t team_iterations, Ticks team_time);

}  // namespace nestbind::loops
