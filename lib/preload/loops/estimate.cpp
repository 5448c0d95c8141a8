// SPDX-License-Identifier: BSD-3-Clause
#include "loops/estimate.hpp"

#include <algorithm>
#include <bit>

#include "loops/division.hpp"

namespace nestbind::loops {
namespace {

constexpr std::uint64_t kTimeParts = 256;
constexpr std::uint64_t kMostExcess = 64 * Estimate::kOne;
constexpr std::uint64_t kAllParts = 1024;
// These limits are above real values on any machine. They keep products within 64 bits.
constexpr std::uint64_t kMostIterations = std::uint64_t{1} << 38;
constexpr Ticks kMostTake = Ticks{1} << 16;
constexpr std::uint64_t kTakesWorth = 50;
constexpr std::uint64_t kChunksOfRegion = 100;

// Returns number * factor / divisor, approximately. `factor` must be below 2^32.
std::uint64_t scaled(std::uint64_t number, std::uint64_t factor, std::uint64_t divisor) {
  constexpr int kFits = 32;
  const int shift = std::max(0, static_cast<int>(std::bit_width(divisor)) - kFits);
  return portion(number >> shift, factor, divisor >> shift);
}

std::uint64_t moved(std::uint64_t mean, std::uint64_t sample, bool is_first) {
  if (is_first) {
    return sample;
  }
  return sample >= mean ? mean + (sample - mean) * 3 / 10 : mean - (mean - sample) * 3 / 10;
}

// Returns (max - mean) / mean of the times of the static blocks. The ratio does not depend on f.
std::uint64_t excess_of(const Sample& sample) {
  const std::uint64_t most = sample.most * static_cast<std::uint64_t>(sample.members);
  const std::uint64_t above = most > sample.block_time ? most - sample.block_time : 0;
  return std::min(scaled(above, Estimate::kOne, sample.block_time), kMostExcess);
}

std::uint64_t iterations_of_thread(const Estimate& estimate) {
  return std::min(
      scaled(estimate.region_time, kTimeParts, std::max<std::uint64_t>(estimate.iteration_time, 1)),
      kMostIterations);
}

}  // namespace

Estimate updated(const Estimate& estimate, const Sample& sample) {
  const bool has_blocks = sample.block_iterations > 0 && sample.block_time > 0;
  const Ticks time = has_blocks ? sample.block_time : sample.busy_time;
  const std::uint64_t iterations = has_blocks ? sample.block_iterations : sample.iterations;
  if (sample.members == 0 || sample.team == 0 || time == 0 || iterations == 0) {
    return estimate;
  }
  const bool is_first = estimate.samples == 0;
  const std::uint64_t iteration_time =
      std::max<std::uint64_t>(scaled(time, kTimeParts, iterations), 1);
  const std::uint64_t parts = scaled(sample.iterations, kAllParts, iterations);
  const Ticks region_time = time / static_cast<std::uint64_t>(sample.team) * parts / kAllParts;
  Estimate result;
  if (has_blocks) {
    result.excess = moved(estimate.excess, excess_of(sample), is_first);
  } else {
    result.excess = estimate.excess;
  }
  result.iteration_time = moved(estimate.iteration_time, iteration_time, is_first);
  result.region_time = moved(estimate.region_time, region_time, is_first);
  result.samples = estimate.samples + (estimate.samples < ~0U ? 1 : 0);
  return result;
}

int static_parts_for(const Estimate& estimate, Ticks take) {
  constexpr std::uint64_t kMargin = 12;  // tenths
  constexpr std::uint64_t kTenths = 10;
  if (estimate.samples == 0) {
    return (kParts + 1) / 2;
  }
  const Ticks gain = scaled(estimate.region_time, estimate.excess, Estimate::kOne);
  if (gain < 2 * take) {
    return kParts;
  }
  const std::uint64_t divisor = kTenths * Estimate::kOne;
  const std::uint64_t dynamic = (estimate.excess * kMargin * kParts + divisor - 1) / divisor;
  return dynamic >= kParts ? 1 : kParts - static_cast<int>(dynamic);
}

std::uint64_t chunk_for(const Estimate& estimate, int static_parts, Ticks take) {
  const Ticks cost = std::min(take, kMostTake);
  const std::uint64_t time = std::max<std::uint64_t>(estimate.iteration_time, 1);
  const std::uint64_t worth = (kTakesWorth * cost * kTimeParts + time - 1) / time;
  std::uint64_t chunk = std::bit_ceil(std::max<std::uint64_t>(worth, 1));
  const std::uint64_t most = iterations_of_thread(estimate) / kChunksOfRegion;
  const std::uint64_t takes = cost * iterations_of_thread(estimate) / kParts *
                              static_cast<std::uint64_t>(kParts - static_parts);
  while (2 * chunk <= most && takes / chunk * kTimeParts > chunk * time) {
    chunk *= 2;
  }
  return chunk;
}

std::uint64_t bounded_chunk(std::uint64_t chunk, std::uint64_t iterations, int threads) {
  constexpr std::uint64_t kMostOfShare = 1024;
  const std::uint64_t share =
      std::max<std::uint64_t>(iterations / static_cast<std::uint64_t>(threads), 1);
  return std::clamp(chunk, (share - 1) / kMostOfShare + 1, share);
}

std::uint64_t default_chunk(std::uint64_t iterations, int threads) {
  constexpr std::uint64_t kChunksOfShare = 32;
  return std::max<std::uint64_t>(iterations / static_cast<std::uint64_t>(threads) / kChunksOfShare,
                                 1);
}

std::uint32_t updated_weight(std::uint32_t weight, std::uint64_t iterations, Ticks time,
                             std::uint64_t team_iterations, Ticks team_time) {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 30;
  if (iterations == 0 || time == 0 || team_iterations == 0 || team_time == 0) {
    return weight == 0 ? Speed::kMean : weight;
  }
  const std::uint64_t work = scaled(iterations, kOne, team_iterations);
  const std::uint64_t share = std::max<std::uint64_t>(scaled(time, kOne, team_time), 1);
  const std::uint64_t speed =
      std::clamp<std::uint64_t>(work * Speed::kMean / share, Speed::kLeast, Speed::kMost);
  return static_cast<std::uint32_t>(moved(weight, speed, weight == 0));
}

}  // namespace nestbind::loops
