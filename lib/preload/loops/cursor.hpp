// SPDX-License-Identifier: BSD-3-Clause
// Gives one thread its iterations of one loop: its static block, its own queue's chunks, then other
// queues' chunks. The queues are the only data that threads share.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/division.hpp"
#include "loops/grouping.hpp"

namespace nestbind::loops {

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

enum class Source : std::uint8_t { kNothing, kBlock, kOwnQueue, kOtherQueue };

struct Tally {
  std::uint64_t of_block = 0;
  std::uint64_t of_own_queue = 0;
  std::uint64_t stolen[kDistances] = {};
  std::uint64_t total() const;
  void add(const Tally& other);
  bool operator==(const Tally&) const = default;
};

struct Queues {
  Queue* queue = nullptr;
  // The word of this queue has the number of the newest loop that is done. So a late member need
  // not look at all queues.
  Queue* finished = nullptr;
};

class Cursor {
 public:
  // `division` must live until the loop is done. `victims` may be null if there is one queue.
  void begin(const Division& division, const Queues& queues, const Victim* victims, int member,
             std::uint64_t generation);
  void begin_static(const Range& block, std::uint64_t iterations) {
    start(block, iterations, Phase::kEnding);
  }

  // Writes the thread's next iterations to `range`, and returns their source. If the loop is done,
  // or no loop has begun yet, returns kNothing and leaves `range` unchanged. Never waits.
  Source next(Range& range) {
    if (next_of_same(range)) {
      return same_.source;
    }
    if (next_block(range)) {
      return Source::kBlock;
    }
    if (phase_ == Phase::kBlock) {
      phase_ = behind_block_;
    }
    if (phase_ < Phase::kEnding) {
      return from_queues(range);
    }
    phase_ = Phase::kDone;
    return Source::kNothing;
  }

  // Takes the static block. Returns false if the block is empty or was already taken.
  bool next_block(Range& range) {
    if (phase_ != Phase::kBlock || block_.is_empty()) {
      return false;
    }
    phase_ = behind_block_;
    give(block_, Source::kBlock, tally_.of_block, range);
    return true;
  }

  // A fast next() for small chunks. It takes one more chunk from the queue of the previous chunk.
  // If this is not possible, it returns false and changes nothing. It never takes the queue's last
  // chunk.
  bool next_of_same(Range& range) {
    if (same_.end == 0) {
      return false;
    }
    // If the word is from another loop, `gone` becomes a huge number.
    std::uint64_t seen = same_.word->load(std::memory_order_relaxed);
    const std::uint64_t gone = seen - same_.none_taken;
    if (gone >= same_.end ||
        !same_.word->compare_exchange_strong(seen, seen + same_.units, std::memory_order_relaxed)) {
      return false;
    }
    range.begin = same_.begin + gone * same_.iterations_of_unit;
    range.end = range.begin + same_.iterations;
    *same_.count += same_.iterations;
    return true;
  }

  bool has_block() const { return !block_.is_empty(); }
  bool has_last() const { return has_last_; }
  bool is_open() const { return phase_ != Phase::kDone; }
  void leave() {
    phase_ = Phase::kDone;
    same_.end = 0;
  }

  // Valid until the next loop begins.
  const Tally& tally() const { return tally_; }

 private:
  enum class Phase : std::uint8_t { kBlock, kOwnQueue, kOthers, kLast, kEnding, kDone };
  struct Same {
    std::atomic<std::uint64_t>* word = nullptr;
    std::uint64_t none_taken = 0;
    std::uint64_t end = 0;  // 0 if there is no queue
    std::uint64_t units = 0;
    std::uint64_t iterations = 0;
    std::uint64_t begin = 0;
    std::uint64_t iterations_of_unit = 0;
    std::uint64_t* count = nullptr;
    Source source = Source::kNothing;
  };
  // The victim with the most grains left in its class. Numbers of grains can only fall.
  struct Fullest {
    const Victim* victim = nullptr;  // null: no victim has grains left
    std::uint64_t most = 0;
    std::uint64_t second = 0;
  };

  void start(const Range& block, std::uint64_t iterations, Phase behind) {
    block_ = block;
    iterations_ = iterations;
    phase_ = Phase::kBlock;
    behind_block_ = behind;
    has_last_ = false;
    same_.end = 0;
    tally_ = {};
  }
  Source give(const Range& got, Source source, std::uint64_t& count, Range& range) {
    range = got;
    count += got.size();
    has_last_ = got.end == iterations_;
    return source;
  }
  Source from_queues(Range& range);
  Source from_own_queue(Range& range);
  Source from_others(Range& range);
  Source from_held_back(Range& range);
  Source take(int queue, const Span& span, const Fullest& full, Source source, std::uint64_t& count,
              Range& range);
  Fullest fullest_of_class() const;
  void next_class();
  bool is_finished() const;
  void tell_finished();
  std::uint64_t& count_of(int queue);

  Range block_;
  std::uint64_t iterations_ = 0;
  Phase phase_ = Phase::kDone;
  Phase behind_block_ = Phase::kEnding;
  bool has_last_ = false;
  Tally tally_;
  // The members below are used only if the loop has queues.
  Same same_;
  const Division* division_ = nullptr;
  Queues queues_;
  Span own_;
  int own_queue_ = 0;
  const Victim* victims_ = nullptr;
  const Victim* class_ = nullptr;
  const Victim* behind_ = nullptr;
  std::uint64_t generation_ = 0;
};

}  // namespace nestbind::loops
