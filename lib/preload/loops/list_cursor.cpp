// SPDX-License-Identifier: BSD-3-Clause
#include "loops/list_cursor.hpp"

namespace nestbind::loops {

void ListCursor::begin(const ListedLoop& loop, Queue* queues, const Victim* victims, int member,
                       std::uint64_t generation) {
  loop_ = &loop;
  queues_ = queues;
  victims_ = class_ = victims;
  behind_victims_ = victims == nullptr ? nullptr : victims + loop.lists.threads - 1;
  generation_ = generation;
  member_ = member;
  closed_ = loop.lists.begin(member);
  phase_ = Phase::kClosed;
  has_last_ = false;
  tally_ = {};
}

Source ListCursor::next(Range& range) {
  Source source = Source::kNothing;
  if (phase_ == Phase::kClosed) {
    source = from_closed(range);
  }
  if (source == Source::kNothing && phase_ == Phase::kOwn) {
    source = from_own(range);
  }
  if (source == Source::kNothing && phase_ == Phase::kLast) {
    phase_ = Phase::kEnding;
    const int behind = loop_->lists.end(member_);
    return give(behind - 1, behind, Source::kBlock, tally_.of_block, range);
  }
  if (source == Source::kNothing && phase_ == Phase::kOthers) {
    source = from_others(range);
  }
  if (source == Source::kNothing) {
    phase_ = Phase::kDone;
  }
  return source;
}

Source ListCursor::give(int from, int behind, Source source, std::uint64_t& count, Range& range) {
  const balance::Lists& lists = loop_->lists;
  range = loop_->blocks.joined(lists.block[from], lists.block[behind - 1] + 1);
  from_ = from;
  behind_ = behind;
  has_last_ = lists.block[behind - 1] == lists.first[lists.threads] - 1;
  count += range.size();
  return source;
}

Source ListCursor::from_closed(Range& range) {
  const balance::Lists& lists = loop_->lists;
  const int end = lists.stealable_begin(member_, loop_->stealable);
  if (closed_ == end) {
    phase_ = Phase::kOwn;
    return Source::kNothing;
  }
  const int from = closed_;
  closed_ = balance::run_end(lists, from, end, loop_->time, loop_->least);
  return give(from, closed_, Source::kBlock, tally_.of_block, range);
}

std::uint64_t ListCursor::units(int thread) const {
  const balance::Lists& lists = loop_->lists;
  return static_cast<std::uint64_t>(lists.stealable_end(thread) -
                                    lists.stealable_begin(thread, loop_->stealable));
}

Source ListCursor::take(int thread, Source source, std::uint64_t& count, Range& range) {
  const balance::Lists& lists = loop_->lists;
  const int begin = lists.stealable_begin(thread, loop_->stealable);
  const int end = lists.stealable_end(thread);
  const std::uint64_t all = units(thread);
  std::atomic<std::uint64_t>& word = queues_[thread].word;
  std::uint64_t seen = word.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint64_t gone = taken(seen, generation_, all);
    if (gone >= all) {
      return Source::kNothing;
    }
    const int from = begin + static_cast<int>(gone);
    const int behind = balance::run_end(lists, from, end, loop_->time, loop_->least);
    const auto then = static_cast<std::uint64_t>(behind - begin);
    if (word.compare_exchange_weak(seen, word_of(generation_, then), std::memory_order_relaxed)) {
      return give(from, behind, source, count, range);
    }
  }
}

Source ListCursor::from_own(Range& range) {
  const Source source = take(member_, Source::kOwnQueue, tally_.of_own_queue, range);
  if (source == Source::kNothing) {
    phase_ = loop_->lists.has_last(member_) ? Phase::kLast
             : class_ == behind_victims_    ? Phase::kEnding
                                            : Phase::kOthers;
  }
  return source;
}

std::uint64_t ListCursor::left(int thread) const {
  const std::uint64_t all = units(thread);
  return all - taken(queues_[thread].word.load(std::memory_order_relaxed), generation_, all);
}

const Victim* ListCursor::fullest_of_class() const {
  const Victim* fullest = nullptr;
  std::uint64_t most = 0;
  for (const Victim* victim = class_;; ++victim) {
    const std::uint64_t here = left(victim->queue);
    if (here > most) {
      most = here;
      fullest = victim;
    }
    if (victim->ends_class) {
      return fullest;
    }
  }
}

Source ListCursor::from_others(Range& range) {
  while (class_ != behind_victims_) {
    const Victim* const victim = fullest_of_class();
    if (victim == nullptr) {
      while (!class_->ends_class) {
        ++class_;
      }
      ++class_;
      continue;
    }
    const Source source = take(victim->queue, Source::kOtherQueue,
                               tally_.stolen[static_cast<int>(victim->distance)], range);
    if (source != Source::kNothing) {
      return source;
    }
  }
  phase_ = Phase::kEnding;
  return Source::kNothing;
}

}  // namespace nestbind::loops
