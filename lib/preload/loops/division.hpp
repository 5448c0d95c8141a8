// SPDX-License-Identifier: BSD-3-Clause
// Divides the iterations of a loop into static blocks and queues of chunks. Every thread computes
// the same division, without communication.
//
// The method is V. Kale's mixed static/dynamic scheduling ("staggered" with a queue for each
// thread, "mixed" with one queue for all threads). Each member's share is as in a static schedule
// of the OpenMP runtimes: if N iterations have equal shares for T members, the first N mod T
// members have one iteration more. So data that a static schedule touched first stay local. The
// shares of all members of a queue are put together. Their first fraction f becomes static
// blocks, one for each member. The queue has the rest.
//
// A loop with one member, or with at most one iteration for each member, is entirely static.
#pragma once

#include <algorithm>
#include <cstdint>

#include "loops/grouping.hpp"

namespace nestbind::loops {

// Iterations [begin, end), counted from 0.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_empty() const { return begin >= end; }
  std::uint64_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

struct Loop {
  std::uint64_t iterations = 0;
  // Blocks and chunks begin at multiples of `grain` (8 in schedule(dynamic, 8)). At least 1.
  std::uint64_t grain = 1;
  std::uint64_t chunk = 1;    // iterations taken at a time, rounded up to whole grains. At least 1
  int static_parts = kParts;  // the static fraction in 1/kParts, 0 to kParts
  bool taper = false;         // each chunk is rest / (2 * members of the queue)
  // weights[i] is the sum of the first i weights, for i from 0 to the number of members. All sums
  // are below 2^31. If the table is null, all weights are equal.
  const std::uint32_t* weights = nullptr;
  bool operator==(const Loop&) const = default;
};

// The number of bits for the count of taken units.
inline constexpr int kTakenBits = 24;

// Positions and counts are in units, from the queue's beginning.
struct Span {
  std::uint64_t begin = 0;  // the queue's first grain
  std::uint64_t grains = 0;
  int shift = 0;  // a unit is 2^shift grains; the last unit may be shorter
  int members = 1;
  std::uint64_t units = 0;  // how many units; below 2^kTakenBits
  // Any thread may take the first `open` units. The last queue keeps its other units for the end of
  // the loop. Then one thread gets all of these units, and nothing afterwards. So this thread runs
  // the last iteration last, as `lastprivate` of all compilers requires.
  std::uint64_t open = 0;
  std::uint64_t chunk = 0;
};

struct Open {
  std::uint64_t units = 0;
  int shift = 0;
};

// Returns a member's share if all shares are equal.
Range even_share(std::uint64_t iterations, std::uint64_t grain, int members, int member);

class Division {
 public:
  Division() = default;
  // The tables of the loop and of the grouping must live as long as the division.
  Division(const Loop& loop, const Grouping& grouping);

  const Loop& loop() const { return loop_; }
  const Grouping& grouping() const { return grouping_; }

  bool is_static() const { return is_static_; }
  Range block(int member) const;
  // In a static division all queues are empty.
  Span span(int queue) const { return is_uniform_ ? uniform_span(queue) : general_span(queue); }
  Open open(int queue) const {
    if (is_uniform_) {
      const Span& span = uniform_[static_cast<std::uint64_t>(queue) < remainder_ ? 1 : 0];
      return {queue == last_queue_ ? last_open_ : span.open, span.shift};
    }
    const Span span = general_span(queue);
    return {span.open, span.shift};
  }
  // Call this only if the division is not static.
  int last_queue() const { return last_queue_; }

  // `taken` must be less than span.open.
  std::uint64_t chunk_at(const Span& span, std::uint64_t taken) const {
    const std::uint64_t left = span.open - taken;
    const std::uint64_t units =
        loop_.taper ? std::max(span.chunk, left / (2 * static_cast<std::uint64_t>(span.members)))
                    : span.chunk;
    return std::min(units, left);
  }
  // Returns the iterations of the units `from` to `to` - 1.
  Range range(const Span& span, std::uint64_t from, std::uint64_t to) const;

 private:
  // If is_uniform_ is true, queues have only two sizes.
  Span uniform_span(int queue) const {
    const auto number = static_cast<std::uint64_t>(queue);
    const bool is_larger = number < remainder_;
    Span span = uniform_[is_larger ? 1 : 0];
    span.begin += number * quotient_ + (is_larger ? number : remainder_);
    span.open = queue == last_queue_ ? last_open_ : span.units;
    return span;
  }
  Span general_span(int queue) const;
  Span span_of(std::uint64_t begin, std::uint64_t share, int members) const;
  std::uint64_t open_of_last(const Span& span) const;
  std::uint64_t share_begin(int member) const;
  Range in_iterations(std::uint64_t first_grain, std::uint64_t behind) const;

  Loop loop_;
  Grouping grouping_;
  std::uint64_t grains_ = 0;
  std::uint64_t chunk_ = 1;  // in grains
  std::uint64_t quotient_ = 0;
  std::uint64_t remainder_ = 0;
  int last_queue_ = 0;
  bool is_static_ = true;
  bool is_uniform_ = false;
  Span uniform_[2];
  std::uint64_t last_open_ = 0;
};

// Divides the iterations of a loop into blocks whose owners may change. Each member's share of a
// static schedule is cut into blocks, which the member owns at first. So data that a static
// schedule touched first are local at first.

class Blocks {
 public:
  // Fewer than kFewest blocks are not worth balancing.
  static constexpr int kFewest = 2;
  static constexpr int kUsual = 12;

  // Cuts a loop at multiples of `grain`, into at most `wanted` blocks for each member. `wanted` and
  // `members` are at least 1.
  Blocks(std::uint64_t iterations, std::uint64_t grain, int members, int wanted);

  // Returns the number of blocks of each member, which may be 0.
  int each() const { return each_; }
  int count() const { return each_ * members_; }
  bool are_worth_it() const { return each_ >= kFewest; }

  int first_owner(int block) const { return block / each_; }
  // No block is empty.
  Range range(int block) const { return joined(block, block + 1); }
  Range joined(int from, int behind) const { return {begin(from), begin(behind)}; }

 private:
  std::uint64_t begin(int block) const;

  std::uint64_t iterations_;
  std::uint64_t grain_;
  int members_;
  int each_ = 0;
};

// Returns floor(whole * part / parts), which must fit into 64 bits. If `part` and `parts` are below
// 2^32, no intermediate result overflows.
constexpr std::uint64_t portion(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

}  // namespace nestbind::loops
