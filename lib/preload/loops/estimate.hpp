// SPDX-License-Identifier: BSD-3-Clause
// Computes the static fraction f and the chunk from measurements. Uses only integers, because the
// floating-point environment belongs to the program.
//
// The bound on f is from Donfack, Grigori, Gropp and Kale (2012). T_p is the time of the loop
// without delays, and delta_i the delay of thread i. With perfect balance the loop ends at T_p +
// mean(delta). The slowest thread ends its static part at f T_p + max(delta). So the static part
// costs no time if f <= 1 - (max(delta) - mean(delta)) / T_p. delta_i is the time of thread i's
// static block minus the team's mean, scaled to f = 1.
#pragma once

#include <cstdint>

#include "loops/schedule.hpp"

namespace nestbind::loops {

// A time. All times have the same unit; a microsecond has at least 10 ticks.
using Ticks = std::uint64_t;

// The measurements of one execution of a loop.
struct Sample {
  int members = 0;       // how many members were measured
  int team = 0;          // how many threads the team has
  Ticks most = 0;        // the longest time in a static block
  Ticks block_time = 0;  // the time of all static blocks together
  std::uint64_t block_iterations = 0;
  Ticks busy_time = 0;           // sum of the measured members' times from begin to end
  std::uint64_t iterations = 0;  // how many iterations these members ran
};

// The known figures of a loop. All figures are zero before the first measurement.
struct Estimate {
  static constexpr std::uint64_t kOne = 65536;
  std::uint64_t excess = 0;          // (max - mean) / T_p, in 1/kOne; weighted mean of executions
  std::uint64_t iteration_time = 0;  // t_1, in 1/256 ticks; also a weighted mean
  Ticks region_time = 0;             // T_p; also a weighted mean
  std::uint32_t samples = 0;
};

// Returns the estimate after one more execution. Each figure moves by 0.3 of its distance to the
// new figure. The first execution sets the figures. An execution without static iterations does not
// change the excess. Samples without members or time change nothing.
Estimate updated(const Estimate& estimate, const Sample& sample);

// Returns f = 1 - 1.2 * excess, in 1/kParts and rounded down. f is at least 1/kParts, so that there
// is a static block to measure. f is 0.5 if nothing is known. f is 1 if the largest possible gain
// (the excess, as a time) is less than the time of two takes. `take` is the time to take a chunk.
int static_parts_for(const Estimate& estimate, Ticks take);

// Returns the chunk c. It is a power of two, so that it changes seldom. q is `take`. There are two
// bounds: q / (c t_1) <= 2 %, and c t_1 <= 1 % of T_p. If no c is within both bounds, c is within
// the first bound, because frequent takes make a loop with short iterations slow. Between the
// bounds, c is doubled while q (1 - f) T_p / (c t_1) + c t_1 / 2 falls. This sum is the time of
// takes and of waiting at the end of the loop. The estimate must be known.
std::uint64_t chunk_for(const Estimate& estimate, int static_parts, Ticks take);

// Returns a measured chunk within the limits for a loop: at most a thread's share, and at least
// 1/1024 of this share. Smaller chunks would gain only 0.05 %, but would make a loop of 2^63
// iterations very slow if a compiler has removed the work of nearly all iterations.
std::uint64_t bounded_chunk(std::uint64_t chunk, std::uint64_t iterations, int threads);

// Returns the chunk for a loop without measurements: 1/32 of a thread's share.
std::uint64_t default_chunk(std::uint64_t iterations, int threads);

// The unit and the limits of a member's speed, which decides the member's weighted share. A speed
// is iterations per time, relative to the team's mean.
struct Speed {
  static constexpr std::uint32_t kMean = 4096;
  static constexpr std::uint32_t kLeast = kMean / 16;
  static constexpr std::uint32_t kMost = 16 * kMean;
};

// Returns a member's new weight: the old weight, moved by 0.3 of its distance to the measured
// speed. The other arguments are the static iterations and their time, of the member and of the
// whole team. The result is from Speed::kLeast to Speed::kMost. Without a measurement the result is
// `weight`, or Speed::kMean if `weight` is 0.
std::uint32_t updated_weight(std::uint32_t weight, std::uint64_t iterations, Ticks time,
                             std::uint64_t team_iterations, Ticks team_time);

}  // namespace nestbind::loops
