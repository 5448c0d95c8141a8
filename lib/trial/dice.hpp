// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace nestbind::trial {

// Random orders that are the same for a seed everywhere: the standard says what this generator
// gives, and not what its own shuffle makes of it.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : numbers_(seed) {}

  // Every order is as probable (R. Durstenfeld, Algorithm 235, CACM 1964).
  void shuffle(std::vector<int>& words) {
    for (std::size_t left = words.size(); left > 1; --left) {
      std::swap(words[left - 1], words[below(left)]);
    }
  }

 private:
  // Each number below `end` is as probable: what would favour some of them is thrown again.
  std::size_t below(std::uint64_t end) {
    const std::uint64_t uneven = (0 - end) % end;  // 2^64 modulo end
    std::uint64_t number = numbers_();
    while (number < uneven) {
      number = numbers_();
    }
    return static_cast<std::size_t>(number % end);
  }

  std::mt19937_64 numbers_;
};

}  // namespace nestbind::trial
