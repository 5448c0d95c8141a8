// SPDX-License-Identifier: BSD-3-Clause
// The word of a queue: generation | units taken. The word is never initialised or reset, and no
// thread ever waits for another. Each thread computes everything else by itself.
//
// A generation is the number of a loop in one team. All threads of the team come to the same loops,
// so they count the same generations. For a thread that is in generation g, a word means:
//
//   of generation g     the number of units that have been taken
//   of an older one     no unit has been taken; others may steal before the owner arrives
//   of a newer one      all units have been taken: the writer of the word has left this loop, after
//                       it saw every queue empty (or because the loop was cancelled)
//
// The number in a word only grows. So a thread that has seen a queue empty need not look again. A
// stale value is an older value: it never makes a queue look emptier than the queue is, and a take
// compares with the word itself. The order among words does not matter: all accesses are relaxed.
//
// Generations wrap after 2^40 loops and are compared by their difference. The comparison is wrong
// if two generations are 2^39 apart. A word cannot be so old: every 2^20 generations the owner
// checks its word's age, and renews an old word (renew). A thread cannot be so late either: the
// others would have to run 5 * 10^11 `nowait` loops while it is in one loop. That takes seven hours
// at 50 ns each.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/division.hpp"

namespace nestbind::loops {

inline constexpr std::uint64_t kTakenMask = (std::uint64_t{1} << kTakenBits) - 1;
inline constexpr std::uint64_t kGenerations = std::uint64_t{1} << (64 - kTakenBits);
// An owner looks at its word's age at least once in this number of generations.
inline constexpr std::uint64_t kRenewal = std::uint64_t{1} << 20;

constexpr std::uint64_t word_of(std::uint64_t generation, std::uint64_t taken) {
  return generation << kTakenBits | taken;
}

// Above 0: the word's generation is newer; 0: it is the same; below 0: it is older.
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
  // Returns their iterations; empty: another thread has these units, or no units are held back.
  Range take_last(std::uint64_t generation, const Division& division, const Span& span);

  // Called by a thread in this generation, on its own queue. A word that is older than kRenewal
  // generations gets the previous generation. The old word is not needed: a thread that comes to
  // this generation has left all earlier generations.
  void renew(std::uint64_t generation);
};

}  // namespace nestbind::loops
