// SPDX-License-Identifier: BSD-3-Clause
#include "loops/cursor.hpp"

namespace nestbind::loops {

std::uint64_t Tally::total() const {
  std::uint64_t sum = of_block + of_own_queue;
  for (const std::uint64_t iterations : stolen) {
    sum += iterations;
  }
  return sum;
}

void Tally::add(const Tally& other) {
  of_block += other.of_block;
  of_own_queue += other.of_own_queue;
  for (int i = 0; i < kDistances; ++i) {
    stolen[i] += other.stolen[i];
  }
}

void Cursor::begin(const Division& division, const Queues& queues, const Victim* victims,
                   int member, std::uint64_t generation) {
  start(division.block(member), division.loop().iterations,
        division.is_static() ? Phase::kEnding : Phase::kOwnQueue);
  if (division.is_static()) {
    return;
  }
  division_ = &division;
  queues_ = queues;
  generation_ = generation;
  victims_ = class_ = victims;
  behind_ = victims == nullptr ? nullptr : victims + division.grouping().queues - 1;
  own_queue_ = division.grouping().queue_with(member);
  own_ = division.span(own_queue_);
}

Source Cursor::from_queues(Range& range) {
  Source source = Source::kNothing;
  if (phase_ == Phase::kOwnQueue) {
    source = from_own_queue(range);
  }
  if (source == Source::kNothing && phase_ == Phase::kOthers) {
    source = from_others(range);
  }
  if (source == Source::kNothing && phase_ == Phase::kLast) {
    source = from_held_back(range);
  }
  if (source == Source::kNothing) {
    phase_ = Phase::kDone;
  }
  return source;
}

Source Cursor::from_own_queue(Range& range) {
  const Range got = queues_.queue[own_queue_].take(generation_, *division_, own_);
  if (!got.is_empty()) {
    return give(got, Source::kOwnQueue, tally_.of_own_queue, range);
  }
  phase_ = Phase::kOthers;
  return Source::kNothing;
}

// The victim of this class with most left; null where none has anything.
const Victim* Cursor::fullest_of_class() const {
  const Victim* fullest = nullptr;
  std::uint64_t most = 0;
  for (const Victim* victim = class_;; ++victim) {
    const Span span = division_->span(victim->queue);
    const std::uint64_t left = queues_.queue[victim->queue].left(generation_, span);
    // Queues with many iterations count them in larger units.
    if (left << span.shift > most) {
      most = left << span.shift;
      fullest = victim;
    }
    if (victim->ends_class) {
      return fullest;
    }
  }
}

void Cursor::next_class() {
  while (!class_->ends_class) {
    ++class_;
  }
  ++class_;
}

Source Cursor::from_others(Range& range) {
  while (class_ != behind_) {
    if (is_finished()) {
      phase_ = Phase::kEnding;
      return Source::kNothing;
    }
    const Victim* victim = fullest_of_class();
    if (victim == nullptr) {
      next_class();
      continue;
    }
    const Range got =
        queues_.queue[victim->queue].take(generation_, *division_, division_->span(victim->queue));
    if (!got.is_empty()) {
      return give(got, Source::kOtherQueue, tally_.stolen[static_cast<int>(victim->distance)],
                  range);
    }
  }
  phase_ = Phase::kLast;
  return Source::kNothing;
}

// All that is open has been taken.
Source Cursor::from_held_back(Range& range) {
  const int queue = division_->last_queue();
  const Range got = queues_.queue[queue].take_last(generation_, *division_, division_->span(queue));
  phase_ = Phase::kEnding;
  if (got.is_empty()) {
    return Source::kNothing;
  }
  tell_finished();
  const bool is_own = queue == own_queue_;
  return give(got, is_own ? Source::kOwnQueue : Source::kOtherQueue, count_of(queue), range);
}

std::uint64_t& Cursor::count_of(int queue) {
  if (queue == own_queue_) {
    return tally_.of_own_queue;
  }
  const Victim* victim = victims_;
  while (victim->queue != queue) {
    ++victim;
  }
  return tally_.stolen[static_cast<int>(victim->distance)];
}

bool Cursor::is_finished() const {
  return age(queues_.finished->word.load(std::memory_order_relaxed), generation_) >= 0;
}

void Cursor::tell_finished() {
  std::uint64_t seen = queues_.finished->word.load(std::memory_order_relaxed);
  while (age(seen, generation_) < 0 &&
         !queues_.finished->word.compare_exchange_weak(seen, word_of(generation_, 0),
                                                       std::memory_order_relaxed)) {
  }
}

}  // namespace nestbind::loops
