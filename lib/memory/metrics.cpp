// SPDX-License-Identifier: BSD-3-Clause
#include "memory/metrics.hpp"

#include <bit>
#include <cmath>
#include <numeric>

#include "memory/wide.hpp"

namespace nestbind::memory {
namespace {

constexpr std::uint64_t kWholePercent = 100;

std::uint64_t sum(std::span<const std::uint64_t> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

// Of n numbers with the sum S: their squares, n times, less S squared, which is n (n-1) times the
// sample variance; and S. Beyond 44 bits of S the lowest bits do not count: nothing overflows.
struct Moments {
  Wide deviation = 0;
  Wide sum = 0;
};

Moments moments(std::span<const std::uint64_t> numbers) {
  constexpr int kBits = 44;
  const int width = static_cast<int>(std::bit_width(sum(numbers)));
  const int shift = width > kBits ? width - kBits : 0;
  Wide squares = 0;
  Moments result;
  for (const std::uint64_t number : numbers) {
    const Wide kept = number >> shift;
    squares += kept * kept;
    result.sum += kept;
  }
  result.deviation = squares * numbers.size() - result.sum * result.sum;
  return result;
}

}  // namespace

std::uint64_t Traffic::all() const { return sum(to); }

double imbalance(std::span<const std::uint64_t> to) {
  const Moments found = moments(to);
  if (to.size() < 2 || found.sum == 0) {
    return 0;
  }
  // sqrt(D / n (n-1)) / (S / n)
  const auto nodes = static_cast<double>(to.size());
  return kWholePercent * std::sqrt(static_cast<double>(found.deviation) * nodes / (nodes - 1)) /
         static_cast<double>(found.sum);
}

bool is_imbalance_above(std::span<const std::uint64_t> to, std::uint64_t bound) {
  if (to.size() < 2) {
    return false;
  }
  const Moments found = moments(to);
  const std::size_t nodes = to.size();
  return found.deviation * nodes * kWholePercent * kWholePercent >
         found.sum * found.sum * (nodes - 1) * bound * bound;
}

double local_ratio(const Traffic& traffic) {
  const std::uint64_t all = traffic.all();
  return all == 0 ? kWholePercent
                  : kWholePercent * static_cast<double>(traffic.local) / static_cast<double>(all);
}

bool is_local_below(const Traffic& traffic, std::uint64_t bound) {
  return Wide{kWholePercent} * traffic.local < Wide{bound} * traffic.all();
}

Intensity intensity(std::uint64_t accesses, std::uint64_t microseconds) {
  constexpr std::uint64_t kHigh = 50;
  if (microseconds == 0) {
    return Intensity::kUnknown;
  }
  return Wide{accesses} >= Wide{kHigh} * microseconds ? Intensity::kHigh : Intensity::kLow;
}

}  // namespace nestbind::memory
