// SPDX-License-Identifier: BSD-3-Clause
// Computes the static fraction f and the chunk from measurements. Uses only integers, because the
// floating-point environment belongs to the program.
//
// Donfack, Grigori, Gropp and Kale (2012) have found this bound:
//
//   f <= 1 - (max(delta) - mean(delta)) / T_p
//
// Within the bound, the static part costs no time. T_p is the time of the loop without delays.
// delta_i is the delay of thread i. It is the time of the thread's static block minus the team's
// mean, scaled to f = 1.
#pragma once

#include <cstdint>

#include "loops/schedule.hpp"

namespace nestbind::loops {

// All times have the same unit; a microsecond has at least 10 ticks.
using Ticks = std::uint64_t;

struct Sample {
  int members = 0;
  int team = 0;
  Ticks most = 0;  // the longest time in a static block
  Ticks block_time = 0;
  std::uint64_t block_iterations = 0;
  Ticks busy_time = 0;  // sum of the measured members' times from begin to end
  std::uint64_t iterations = 0;
};

// All figures are zero before the first measurement.
struct Estimate {
  static constexpr std::uint64_t kOne = 65536;
  std::uint64_t excess = 0;          // (max - mean) / T_p, in 1/kOne; weighted mean of executions
  std::uint64_t iteration_time = 0;  // t_1, in 1/256 ticks; also a weighted mean
  Ticks region_time = 0;             // T_p; also a weighted mean
  std::uint32_t samples = 0;
};

// Each new figure is 0.7 * old figure + 0.3 * measured figure. The first sample sets the figures. A
// sample without static iterations does not change `excess`.
Estimate updated(const Estimate& estimate, const Sample& sample);

// Returns f = 1 - 1.2 * excess, in 1/kParts, rounded down. The result is at least 1, so that the
// next execution can measure a static block. Without samples, f is 0.5. If excess * region_time is
// less than 2 * `take`, f is 1. `take` is the time to take a chunk.
int static_parts_for(const Estimate& estimate, Ticks take);

// Returns the chunk, a power of two. A thread takes larger chunks less often, but waits longer at
// the end of the loop. The function makes the sum of both times small, within two limits. Taking a
// chunk costs at most 2 % of the chunk's time. A chunk takes at most 1 % of T_p. If both limits
// cannot hold, only the first limit holds. `take` is the time to take a chunk. The estimate must be
// known.
std::uint64_t chunk_for(const Estimate& estimate, int static_parts, Ticks take);

// Limits `chunk` to a thread's share, and to at least 1/1024 of this share. Smaller chunks gain at
// most 0.05 %. A loop of 2^63 empty iterations would be very slow with smaller chunks.
std::uint64_t bounded_chunk(std::uint64_t chunk, std::uint64_t iterations, int threads);

// Returns the chunk for a loop without measurements: 1/32 of a thread's share.
std::uint64_t default_chunk(std::uint64_t iterations, int threads);

// The unit and the limits of a member's speed. A speed is iterations per time, relative to the
// team's mean.
struct Speed {
  static constexpr std::uint32_t kMean = 4096;
  static constexpr std::uint32_t kLeast = kMean / 16;
  static constexpr std::uint32_t kMost = 16 * kMean;
};

// Returns a member's new weight, 0.7 * `weight` + 0.3 * speed. If `weight` is 0, the result is the
// speed. `iterations` and `time` are the member's static iterations and their time. The last two
// arguments are the sums of these values over the team. Without a measurement, the weight does not
// change. Then Speed::kMean replaces a weight of 0.
std::uint32_t updated_weight(std::uint32_t weight, std::uint64_t iterations, Ticks time,
                             std::uint64_t team_iterations, Ticks team_time);

}  // namespace nestbind::loops
