// SPDX-License-Identifier: BSD-3-Clause
// The way of one thread through a loop whose blocks have owners (lib/preload/balance): the closed
// part of its list, the stealable part, then the stealable parts of other lists, the nearest first.
//
// The stealable part of a list is a queue (queue.hpp) whose units are places of the list. One thing
// differs from a team's queues. The thread that has the loop's last block runs it at the end of its
// own list, and may run nothing after it (lastprivate). So it leaves although other queues may have
// units left, and a word of a newer generation would not prove that all was taken. Therefore the
// queues belong to the loop, and no thread may be in the loop when the next execution begins.
#pragma once

#include <cstdint>

#include "balance/lists.hpp"
#include "loops/blocks.hpp"
#include "loops/cursor.hpp"

namespace nestbind::loops {

// The parameters that all threads of a loop agree on. The tables stay until the loop is done.
struct ListedLoop {
  Blocks blocks{0, 1, 1, 1};
  balance::Lists lists;                          // of all blocks
  int stealable = balance::kStealableByDefault;  // in 1/balance::kWhole; 0: no thread steals
  const balance::Ticks* time = nullptr;  // of each block, for joining neighbours; null: not joined
  balance::Ticks least = 0;              // neighbours are joined until they take so long
};

class ListCursor {
 public:
  // Begins a loop; an open loop is given up. loop: lives until the loop is done. queues: one for
  // each member. victims: as order_victims writes them for own_queues(); null: there is one member,
  // or nothing may be stolen. generation: later than all for which the queues were used before.
  void begin(const ListedLoop& loop, Queue* queues, const Victim* victims, int member,
             std::uint64_t generation);

  // Gives the thread its next blocks, which are neighbours. Returns where they are from. If its
  // loop is done, returns kNothing each time and leaves `range` unchanged. Never waits.
  Source next(Range& range);

  // The last result of next(): places [from, behind) of the lists, to note their times, and whether
  // the loop's last block is among them.
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
  const Victim* class_ = nullptr;  // the first victim of the class that is stolen from
  const Victim* behind_victims_ = nullptr;
  std::uint64_t generation_ = 0;
  int member_ = 0;
  int closed_ = 0;  // place of the next block of the closed part
  int from_ = 0;
  int behind_ = 0;
  Phase phase_ = Phase::kDone;
  bool has_last_ = false;
  Tally tally_;
};

}  // namespace nestbind::loops
