// SPDX-License-Identifier: BSD-3-Clause
// The word of a queue has a generation, and the number of units that were taken. The word is never
// initialised or reset, and no thread waits for another. Each thread computes all other values.
//
// A generation is the number of a loop in one team. All threads of the team come to the same loops,
// so they count the same generations. For a thread that is in generation g, a word means:
//
//   of generation g     the number of units that have been taken
//   older than g        no unit has been taken; others may steal before the owner arrives
//   newer than g        all units have been taken: the writer of the word has left this loop after
//                       it saw every queue empty, or because the loop was cancelled
//
// The number in a word only grows. So a thread that has seen a queue empty need not look again. A
// thread may read an old value of a word. An old value never makes a queue look emptier than the
// queue is, and a take compares with the present value. The order of accesses to different words
// does not matter, so all accesses are relaxed.
//
// Generations wrap after 2^40 loops and are compared by their difference. The comparison is wrong
// if two generations are 2^39 apart. A word cannot be so old: every 2^20 generations the owner
// checks its word's age, and renews an old word (renew). A thread cannot be so late either. The
// other threads would have to run 5 * 10^11 `nowait` loops while this thread is in one loop. At 50
// ns for a loop, this takes seven hours.
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

// Compares the generation of a word with `generation`. The result is above 0 for a newer word, 0
// for equal generations, and below 0 for an older word.
constexpr std::int64_t age(std::uint64_t word, std::uint64_t generation) {
  return static_cast<std::int64_t>((word & ~kTakenMask) - word_of(generation, 0));
}

// Returns how many of `units` have been taken in this generation.
constexpr std::uint64_t taken(std::uint64_t word, std::uint64_t generation, std::uint64_t units) {
  const std::int64_t difference = age(word, generation);
  return difference == 0 ? word & kTakenMask : difference < 0 ? 0 : units;
}

struct alignas(64) Queue {
  std::atomic<std::uint64_t> word{0};

  // Returns how many open units have not been taken.
  std::uint64_t left(std::uint64_t generation, std::uint64_t open) const {
    const std::uint64_t gone = taken(word.load(std::memory_order_relaxed), generation, open);
    return gone < open ? open - gone : 0;
  }

  // Takes and returns the next chunk of the open units. The result is empty if none is left.
  Range take(std::uint64_t generation, const Division& division, const Span& span);

  // Takes and returns the units that are held back. Called only after all open units of all queues
  // were taken. The result is empty if another thread has these units, or if there are none.
  Range take_last(std::uint64_t generation, const Division& division, const Span& span);

  // Renews the word of a queue: a word that is older than kRenewal generations gets the previous
  // generation. Called by the owner of the queue in this generation, or at a fork. The old word is
  // not needed, because all earlier generations have been left.
  void renew(std::uint64_t generation);
};

}  // namespace nestbind::loops
