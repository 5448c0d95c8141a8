// SPDX-License-Identifier: BSD-3-Clause
// Gives one thread its iterations of a loop whose blocks have owners (lib/preload/balance). The
// thread runs the closed part of its list, and then the stealable part. Then the thread goes on
// with the stealable parts of other lists, the nearest first.
//
// The stealable part of a list is a queue of positions (cursor.hpp). The thread with the loop's
// last block leaves after this block (lastprivate), although other queues may still have units. So
// a newer word does not prove that all units of the older generation were taken, as it does in the
// team's queues. Therefore the queues belong to the loop, and no thread may be in the loop when the
// next execution begins.
#pragma once

#include <cstdint>

#include "balance/owners.hpp"
#include "loops/cursor.hpp"
#include "loops/division.hpp"

namespace nestbind::loops {

// The tables must stay unchanged until the loop is done.
struct ListedLoop {
  Blocks blocks{0, 1, 1, 1};
  balance::Lists lists;
  int stealable = balance::kStealableByDefault;
  const balance::Ticks* time = nullptr;
  balance::Ticks least = 0;
};

class ListCursor {
 public:
  // `loop` must live until the loop is done. `victims` may be null if nothing may be stolen.
  // `generation` is larger than in each earlier use of the queues.
  void begin(const ListedLoop& loop, Queue* queues, const Victim* victims, int member,
             std::uint64_t generation);

  // Like Cursor::next(), for the thread's next blocks.
  Source next(Range& range);

  // The last call of next() gave the blocks lists.block[from()] to lists.block[behind() - 1].
  int from() const { return from_; }
  int behind() const { return behind_; }
  bool has_last() const { return has_last_; }

  bool is_open() const { return phase_ != Phase::kDone; }
  void leave() { phase_ = Phase::kDone; }
  const Tally& tally() const { return tally_; }

 private:
  enum class Phase : std::uint8_t { kClosed, kOwn, kLast, kOthers, kEnding, kDone };

  Source give(int from, int behind, Source source, std::uint64_t& count, Range& range);
  Source from_closed(Range& range);
  Source from_own(Range& range);
  Source from_others(Range& range);
  Source take(int thread, Source source, std::uint64_t& count, Range& range);
  std::uint64_t units(int thread) const;
  std::uint64_t left(int thread) const;
  const Victim* fullest_of_class() const;

  const ListedLoop* loop_ = nullptr;
  Queue* queues_ = nullptr;
  const Victim* victims_ = nullptr;
  const Victim* class_ = nullptr;
  const Victim* behind_victims_ = nullptr;
  std::uint64_t generation_ = 0;
  int member_ = 0;
  int closed_ = 0;
  int from_ = 0;
  int behind_ = 0;
  Phase phase_ = Phase::kDone;
  bool has_last_ = false;
  Tally tally_;
};

}  // namespace nestbind::loops
