// SPDX-License-Identifier: BSD-3-Clause
// A loop's variable, and the numbers 0, 1, 2, ... of its iterations. Pure. All is computed modulo
// 2^64, in which the program's signed and unsigned types of 32 and 64 bits are the same: values are
// extended by their own sign, and cut again. No value is computed that the loop does not have, but
// its own end.
#pragma once

#include <cstdint>
#include <type_traits>

#include "loops/division.hpp"

namespace nestbind::worksharing {

// A loop of the program as its variable says. The value of iteration k is first + k * step.
struct Numbers {
  std::uint64_t first = 0;
  std::uint64_t step = 1;        // negative ones as their complement
  std::uint64_t behind = 0;      // what the last iterations are told to end at
  std::uint64_t iterations = 0;  // at most 2^64 - 1
  bool operator==(const Numbers&) const = default;

  std::uint64_t value(std::uint64_t iteration) const { return first + iteration * step; }
};

template <typename Value>
constexpr std::uint64_t extended(Value value) {
  return static_cast<std::uint64_t>(value);  // by its own sign
}

// How often one can go from `first` by steps of this size, and be before `distance`.
constexpr std::uint64_t steps_within(std::uint64_t distance, std::uint64_t step) {
  // Most steps are 1, and a division takes longer than all else here.
  return step == 1 ? distance : distance == 0 || step == 0 ? 0 : (distance - 1) / step + 1;
}

// for (i = first; i < behind; i += step), and downwards i > behind. is_upward: the sign of the
// step, which an unsigned one does not tell. A step of 0 has no iterations.
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

// for (i = first; i <= last; i += step), and downwards i >= last, as LLVM's runtime is told: the
// step is signed, whatever the variable is. Of 2^64 iterations, which no number is for, there are
// none: such a loop is to be left to the runtime.
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

// What GCC's programs are told of these iterations: the first value, and the one after the last.
// The last ones of the loop end where the program has said: by that it knows them.
template <typename Value>
constexpr void tell_half_open(const Numbers& numbers, const loops::Range& range, Value& first,
                              Value& behind) {
  first = static_cast<Value>(numbers.value(range.begin));
  behind = static_cast<Value>(range.end == numbers.iterations ? numbers.behind
                                                              : numbers.value(range.end));
}

// What LLVM's programs are told: the first and the last value.
template <typename Value>
constexpr void tell_closed(const Numbers& numbers, const loops::Range& range, Value& first,
                           Value& last) {
  first = static_cast<Value>(numbers.value(range.begin));
  last = static_cast<Value>(numbers.value(range.end - 1));
}

}  // namespace nestbind::worksharing
