// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

// The same everywhere, which the standard's distributions are not.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : numbers_(seed) {}
  std::uint64_t below(std::uint64_t end) { return numbers_() % end; }
  std::uint64_t between(std::uint64_t first, std::uint64_t last) {
    return first + below(last - first + 1);
  }
  bool one_in(std::uint64_t number) { return below(number) == 0; }

 private:
  std::mt19937_64 numbers_;
};
