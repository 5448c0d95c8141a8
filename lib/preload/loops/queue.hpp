// SPDX-License-Identifier: BSD-3-Clause
// The word of a queue: generation | units taken. It is never initialised, reset or ended, and no
// thread ever waits for another one: what else there is to know of a queue, each thread computes.
//
// A generation is one loop of one team. Every thread of the team counts them alike, since all of
// them come to the same loops. What a word says to a thread that is in generation g:
//
//   of generation g     so many units have been taken
//   of an older one     none have been taken yet: one can steal from a thread that has not arrived
//   of a newer one      all have been taken: who is there has left this loop, and a thread leaves a
//                       loop only when it has seen every queue empty (or it is cancelled)
//
// A word only ever grows in this order, so that whoever has seen a queue empty need not look again.
// What is read may be stale, and is then older: it never makes a queue look emptier than it is, and
// a take compares with the word itself. So no order among different words is wanted: all is
// relaxed.
//
// Generations wrap after 2^40 loops and are compared by their difference. That goes wrong where two
// that meet are 2^39 apart. A word cannot be so old: who owns it looks every 2^20 generations
// whether it is, and renews it (renew). Nor can a thread: it would have to stay in one loop,
// without a barrier, while the others come through 5 * 10^11 loops with `nowait`; at 50 ns each,
// seven hours.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/division.hpp"

namespace nestbind::loops {

inline constexpr std::uint64_t kTakenMask = (std::uint64_t{1} << kTakenBits) - 1;
inline constexpr std::uint64_t kGenerations = std::uint64_t{1} << (64 - kTakenBits);
// How many generations there are at most between two looks of an owner at its word.
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

  // How many of the units that are open have not been taken.
  std::uint64_t left(std::uint64_t generation, std::uint64_t open) const {
    const std::uint64_t gone = taken(word.load(std::memory_order_relaxed), generation, open);
    return gone < open ? open - gone : 0;
  }

  // Takes the next chunk of what is open. Returns its iterations; empty where nothing is left.
  Range take(std::uint64_t generation, const Division& division, const Span& span);

  // Takes what is held back; only where all that is open in all queues has been taken. Returns its
  // iterations; empty where somebody else has got them, or nothing is held back.
  Range take_last(std::uint64_t generation, const Division& division, const Span& span);

  // For a thread in this generation whose own queue it is: if the word is older than kRenewal
  // generations, it becomes that of the generation before. (Nobody wants the old one any more: who
  // comes to this generation has left all before.)
  void renew(std::uint64_t generation);
};

}  // namespace nestbind::loops
