// SPDX-License-Identifier: BSD-3-Clause
#include "loops/queue.hpp"

namespace nestbind::loops {

Range Queue::take(std::uint64_t generation, const Division& division, const Span& span) {
  std::uint64_t seen = word.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint64_t gone = taken(seen, generation, span.units);
    if (gone >= span.open) {
      return {};
    }
    const std::uint64_t behind = gone + division.chunk_at(span, gone);
    if (word.compare_exchange_weak(seen, word_of(generation, behind), std::memory_order_relaxed)) {
      return division.range(span, gone, behind);
    }
  }
}

Range Queue::take_last(std::uint64_t generation, const Division& division, const Span& span) {
  std::uint64_t seen = word.load(std::memory_order_relaxed);
  while (taken(seen, generation, span.units) < span.units) {
    if (word.compare_exchange_weak(seen, word_of(generation, span.units),
                                   std::memory_order_relaxed)) {
      return division.range(span, span.open, span.units);
    }
  }
  return {};
}

void Queue::renew(std::uint64_t generation) {
  std::uint64_t seen = word.load(std::memory_order_relaxed);
  if (age(seen, generation) < -static_cast<std::int64_t>(word_of(kRenewal, 0))) {
    // If another thread takes a unit meanwhile, the word is already new.
    word.compare_exchange_strong(seen, word_of(generation - 1, 0), std::memory_order_relaxed);
  }
}

}  // namespace nestbind::loops
