// SPDX-License-Identifier: BSD-3-Clause
// Which threads communicate, and how much. The source is a file of lines "i j weight", or a matrix
// in the Matrix Market's coordinate format (https://math.nist.gov/MatrixMarket/formats.html).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "mapping/mapped_threads.hpp"
#include "mapping/text_lines.hpp"

namespace nestbind::mapping {

// The communication of two threads of the last level. `weight` includes both directions. `a` is
// less than `b`.
struct Pair {
  int a = 0;
  int b = 0;
  double weight = 0;
  bool operator==(const Pair&) const = default;
};

// Each pair appears once, in order, with a positive weight.
using Communication = std::vector<Pair>;

// The largest size of a file, in bytes.
inline constexpr std::size_t kLargestCommunication = std::size_t{256} << 20;

inline constexpr double kLargestWeight = 1e15;

// In lines, a thread is its full path ("0.2"), or its number at the last level, counted from 0. A
// matrix has a row and a column for each thread of the last level, counted from 1. Weights of the
// same pair are added; a thread's weight with itself is ignored. If the text has an error, returns
// false, sets `fault`, and leaves `pairs` unchanged.
bool parse_communication(std::string_view text, const Threads& threads, Communication& pairs,
                         Fault& fault);

// Whether the text is a matrix, which says how many threads there are.
bool is_matrix(std::string_view text);

// Returns how many threads a text needs: the size of its matrix, or its largest number plus one. It
// ignores numbers that need more than `most`, and errors, which parse_communication() finds.
int threads_in(std::string_view text, int most);

}  // namespace nestbind::mapping
