// SPDX-License-Identifier: BSD-3-Clause
// The word of a queue has a generation, and the number of units that were taken. The word is never
// initialised or reset, and no thread waits for another.
//
// A generation is the number of a loop in one team. All threads of the team come to the same loops,
// so they count the same generations. A thread compares the generation of a word with its own:
//
// - If the generations are equal, the word has the number of taken units.
// - If the word is older, no unit is taken. Other threads may steal before the owner arrives.
// - If the word is newer, its writer has left this loop. Then all units count as taken.
//
// The number in a word only grows. So a thread that has seen a queue empty need not look again. A
// thread may read an old value of a word. An old value can only make a queue look fuller. An
// exchange with an old value fails. The order of accesses to different words does not matter, so
// all accesses are relaxed.
//
// Generations wrap after 2^40 loops and are compared by their difference. The comparison is wrong
// if two generations are 2^39 apart. The owner checks its word every 2^20 generations, and renews
// an old word (renew()). 2^39 loops of 50 ns take seven hours, so no thread is this late.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/division.hpp"

namespace nestbind::loops {

inline constexpr std::uint64_t kTakenMask = (std::uint64_t{1} << kTakenBits) - 1;
inline constexpr std::uint64_t kGenerations = std::uint64_t{1} << (64 - kTakenBits);
// Each owner checks its word at least once in this number of generations.
inline constexpr std::uint64_t kRenewal = std::uint64_t{1} << 20;

constexpr std::uint64_t word_of(std::uint64_t generation, std::uint64_t taken) {
  return generation << kTakenBits | taken;
}

// Returns a number above 0 for a newer word, 0 for equal generations, and below 0 for an older
// word.
constexpr std::int64_t age(std::uint64_t word, std::uint64_t generation) {
  return static_cast<std::int64_t>((word & ~kTakenMask) - word_of(generation, 0));
}

constexpr std::uint64_t taken(std::uint64_t word, std::uint64_t generation, std::uint64_t units) {
  const std::int64_t difference = age(word, generation);
  return difference == 0 ? word & kTakenMask : difference < 0 ? 0 : units;
}

struct alignas(64) Queue {
  std::atomic<std::uint64_t> word{0};

  std::uint64_t left(std::uint64_t generation, std::uint64_t open) const {
    const std::uint64_t gone = taken(word.load(std::memory_order_relaxed), generation, open);
    return gone < open ? open - gone : 0;
  }

  // The result is empty if no open unit is left.
  Range take(std::uint64_t generation, const Division& division, const Span& span);

  // Takes the units that are not open (Span::open). Called only after all open units of all queues
  // were taken. The result is empty if none of these units are left.
  Range take_last(std::uint64_t generation, const Division& division, const Span& span);

  // If the word is older than kRenewal generations, sets its generation to `generation` - 1. Called
  // by the owner of the queue in this generation, or at a fork. No thread needs the old word,
  // because all threads have left the earlier loops.
  void renew(std::uint64_t generation);
};

}  // namespace nestbind::loops
