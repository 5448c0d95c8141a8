// SPDX-License-Identifier: BSD-3-Clause
#include "loops/cursor.hpp"

#include <algorithm>

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
  const Fullest own = {nullptr, own_.open << own_.shift, 0};
  const Source source = take(own_queue_, own_, own, Source::kOwnQueue, tally_.of_own_queue, range);
  if (source == Source::kNothing) {
    phase_ = Phase::kOthers;
  }
  return source;
}

// `full` has the number of grains in this queue, and in the fullest other queue of its class. The
// second number is 0 for the thread's own queue.
Source Cursor::take(int queue, const Span& span, const Fullest& full, Source source,
                    std::uint64_t& count, Range& range) {
  Queue& from = queues_.queue[queue];
  const Range got = from.take(generation_, *division_, span);
  same_.end = 0;
  if (got.is_empty()) {
    return Source::kNothing;
  }
  const Loop& loop = division_->loop();
  const std::uint64_t least = std::max(span.chunk, full.second >> span.shift);
  if (!loop.taper && full.most >> span.shift > span.chunk + least) {
    same_ = {&from.word,
             word_of(generation_, 0),
             span.open - least,
             span.chunk,
             (span.chunk << span.shift) * loop.grain,
             span.begin * loop.grain,
             loop.grain << span.shift,
             &count,
             source};
  }
  return give(got, source, count, range);
}

Cursor::Fullest Cursor::fullest_of_class() const {
  Fullest fullest;
  for (const Victim* victim = class_;; ++victim) {
    const Open open = division_->open(victim->queue);
    // The shift converts units to grains, to compare queues.
    const std::uint64_t left = queues_.queue[victim->queue].left(generation_, open.units)
                               << open.shift;
    if (left > fullest.most) {
      fullest = {victim, left, fullest.most};
    } else if (left > fullest.second) {
      fullest.second = left;
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
    const Fullest fullest = fullest_of_class();
    const Victim* const victim = fullest.victim;
    if (victim == nullptr) {
      next_class();
      continue;
    }
    const Source source =
        take(victim->queue, division_->span(victim->queue), fullest, Source::kOtherQueue,
             tally_.stolen[static_cast<int>(victim->distance)], range);
    if (source != Source::kNothing) {
      return source;
    }
  }
  phase_ = Phase::kLast;
  return Source::kNothing;
}

// Takes the units that the last queue holds back.
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
