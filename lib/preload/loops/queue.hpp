// SPDX-License-Identifier: BSD-3-Clause
// The word of a queue: generation | units taken. The word is never initialised, reset or ended, and
// no thread ever waits for another thread. Each thread computes all else about a queue.
//
// A generation is one loop of one team. All threads of the team come to the same loops, so they
// count generations alike. For a thread that is in generation g, a word means:
//
//   of generation g     so many units have been taken
//   of an older one     none have been taken yet: one can steal from a thread that has not arrived
//   of a newer one      all have been taken: the thread that wrote it has left this loop, after it
//                       saw every queue empty (or because it was cancelled)
//
// A word only grows: its generation, and within one the units. So a thread that has seen a queue
// empty need not look again. A value may be stale when it is read, and is then older: it never
// makes a queue look emptier than it is, and a take compares with the word itself. So words need no
// order among each other: all accesses are relaxed.
//
// Generations wrap after 2^40 loops and are compared by their difference. The comparison fails if
// the two are 2^39 apart. A word cannot be so old: every 2^20 generations its owner checks the
// word's age, and renews it if it is old (renew). A thread cannot be so late either: it would have
// to stay in one loop while other threads run 5 * 10^11 `nowait` loops: seven hours at 50 ns each.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/division.hpp"

namespace nestbind::loops {

inline constexpr std::uint64_t kTakenMask = (std::uint64_t{1} << kTakenBits) - 1;
inline constexpr std::uint64_t kGenerations = std::uint64_t{1} << (64 - kTakenBits);
// The largest number of generations between two looks of an owner at its word.
inline constexpr std::uint64_t kRenewal = std::uint64_t{1} << 20;

constexpr std::uint64_t word_of(std::uint64_t generation, std::uint64_t taken) {
  return generation << kTakenBits | taken;
}

// Above 0: the word is of a newer generation; 0: of this one; below 0: of an older one.
constexpr std::int64_t age(std::uint64_t word, std::uint64_t generation) {
  return static_cast<std::int64_t>((word & ~kTakenMask) - word_of(generation, 0));
}

// How many of `units` have been taken in this generation.
constexpr std::uint64_t taken(std::uint64_t word, std::uint64_t generation, std::uint64_t units) {
  const std::int64_t difference = age(word, generation);
  return difference == 0 ? word & kTakenMask : difference < 0 ? 0 : units;
}

struct alignas(64) Queue {
  std::atomic<std::uint64_t> word{0};

  // How many open units have not been taken.
  std::uint64_t left(std::uint64_t generation, std::uint64_t open) const {
    const std::uint64_t gone = taken(word.load(std::memory_order_relaxed), generation, open);
    return gone < open ? open - gone : 0;
  }

  // Takes the next chunk of the open units. Returns its iterations; empty: nothing is left.
  Range take(std::uint64_t generation, const Division& division, const Span& span);

  // Takes the units that are held back. Called only after all open units of all queues were taken.
  // Returns their iterations; empty: another thread has them, or none are held back.
  Range take_last(std::uint64_t generation, const Division& division, const Span& span);

  // For a thread in this generation, on its own queue. If the word is older than kRenewal
  // generations, it gets the previous generation. The old word is not needed: a thread that comes
  // to this generation has left all earlier ones.
  void renew(std::uint64_t generation);
};

}  // namespace nestbind::loops
