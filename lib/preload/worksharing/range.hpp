// SPDX-License-Identifier: BSD-3-Clause
// Converts between the values of a loop's variable and the numbers 0, 1, 2, ... of its iterations.
// Everything is computed modulo 2^64, so that signed and unsigned types of 32 and 64 bits need the
// same code. Values are sign-extended, and later truncated.
#pragma once

#include <cstdint>
#include <type_traits>

#include "loops/division.hpp"

namespace nestbind::worksharing {

// The value of iteration k is first + k * step.
struct Numbers {
  std::uint64_t first = 0;
  std::uint64_t step = 1;        // modulo 2^64 if negative
  std::uint64_t behind = 0;      // the end that is reported with the last iterations
  std::uint64_t iterations = 0;  // at most 2^64 - 1
  bool operator==(const Numbers&) const = default;

  std::uint64_t value(std::uint64_t iteration) const { return first + iteration * step; }
};

template <typename Value>
constexpr std::uint64_t extended(Value value) {
  return static_cast<std::uint64_t>(value);
}

constexpr std::uint64_t steps_within(std::uint64_t distance, std::uint64_t step) {
  // Most steps are 1, and a division takes longer than all else in this function.
  return step == 1 ? distance : distance == 0 || step == 0 ? 0 : (distance - 1) / step + 1;
}

// Returns the Numbers of the loop (i = first; i < behind; i += step). If the loop runs downwards,
// the condition is i > behind. An unsigned step does not show the direction, so the function needs
// `is_upward`.
template <typename Value>
constexpr Numbers half_open(Value first, Value behind, Value step, bool is_upward) {
  const bool is_empty = is_upward ? first >= behind : first <= behind;
  const std::uint64_t begin = extended(first);
  const std::uint64_t end = extended(behind);
  const std::uint64_t by = extended(step);
  return {begin, by, end,
          is_empty    ? 0
          : is_upward ? steps_within(end - begin, by)
                      : steps_within(begin - end, 0 - by)};
}

// Returns the Numbers of the loop (i = first; i <= last; i += step). If `step` is negative, the
// condition is i >= last. LLVM's runtime gets loops in this form. A loop of 2^64 iterations gets
// the number 0. Then the runtime runs the loop.
template <typename Value>
constexpr Numbers closed(Value first, Value last, std::make_signed_t<Value> step) {
  const bool is_upward = step > 0;
  const bool is_empty = is_upward ? first > last : first < last;
  const std::uint64_t begin = extended(first);
  const std::uint64_t end = extended(last);
  const std::uint64_t by = extended(step);
  const std::uint64_t distance = is_upward ? end - begin : begin - end;
  const std::uint64_t size = is_upward ? by : 0 - by;
  return {begin, by, end, is_empty ? 0 : (size == 1 ? distance : distance / size) + 1};
}

// Programs of GCC get a half-open range. At the end of the loop, `behind` must be exactly the end
// that the program gave, because the program compares the two values.
template <typename Value>
constexpr void tell_half_open(const Numbers& numbers, const loops::Range& range, Value& first,
                              Value& behind) {
  first = static_cast<Value>(numbers.value(range.begin));
  behind = static_cast<Value>(range.end == numbers.iterations ? numbers.behind
                                                              : numbers.value(range.end));
}

// Programs of LLVM get the first value and the last value.
template <typename Value>
constexpr void tell_closed(const Numbers& numbers, const loops::Range& range, Value& first,
                           Value& last) {
  first = static_cast<Value>(numbers.value(range.begin));
  last = static_cast<Value>(numbers.value(range.end - 1));
}

}  // namespace nestbind::worksharing
