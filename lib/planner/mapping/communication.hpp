// SPDX-License-Identifier: BSD-3-Clause
// Who talks to whom, and how much: read from a file of lines "i j weight", or from a matrix in the
// Matrix Market's coordinate format (https://math.nist.gov/MatrixMarket/formats.html).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "mapping/mapped_threads.hpp"
#include "mapping/text_lines.hpp"

namespace nestbind::mapping {

// Two threads of the last level, by their numbers, a < b, and what goes between them, both ways.
struct Pair {
  int a = 0;
  int b = 0;
  double weight = 0;
  bool operator==(const Pair&) const = default;
};

// Each pair once, in order; weights above 0.
using Communication = std::vector<Pair>;

// In bytes; a larger file is none.
inline constexpr std::size_t kLargestCommunication = std::size_t{256} << 20;

inline constexpr double kLargestWeight = 1e15;

// Reads `text`. In lines, a thread is its path with all numbers ("0.2"), or its number at the last
// level, from 0; of a matrix rows and columns are these numbers, from 1, and as many as threads.
// The weights of the same pair are added, those of a thread with itself left out. Returns false,
// with `fault` filled and `pairs` untouched, where the text is neither.
bool parse_communication(std::string_view text, const Threads& threads, Communication& pairs,
                         Fault& fault);

}  // namespace nestbind::mapping
