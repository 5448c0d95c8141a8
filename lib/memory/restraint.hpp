// SPDX-License-Identifier: BSD-3-Clause
// What keeps moving memory from doing harm: no page goes to and fro, and where it does not help it
// ends.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "memory/decide.hpp"
#include "memory/metrics.hpp"
#include "memory/units.hpp"

namespace nestbind::memory {

// How a region stands: what is moved in it is judged two intervals later.
enum class Standing {
  kFree,     // may be moved
  kStopped,  // moving it has not helped: it is left alone from now on
};

// What was seen of one region, and of all of them.
struct Traffics {
  Traffic region;
  Traffic all;
};

// Remembers what was moved: 24 bytes or so for each unit that ever was. Throws bad_alloc.
class Restraint {
 public:
  static constexpr std::uint64_t kCoolDown = 8;     // intervals that a moved unit is left alone
  static constexpr int kMostMoves = 2;              // of a unit, for ever
  static constexpr std::uint64_t kJudgedAfter = 2;  // intervals
  static constexpr std::uint64_t kLeastFree = 5;    // per cent of a node's memory

  // An interval begins.
  void begin() { ++now_; }

  // Whether a unit may be moved in this interval: not in the 8 behind the one in which it was
  // moved, and never a third time. A unit is known by its first address.
  bool may_move(std::uintptr_t unit) const;

  // A unit was moved, of a region (any number that stays its own) whose figures were these just
  // before, and those of all regions. To be called for what was really moved, as read back.
  void moved(std::uintptr_t unit, std::uint64_t region, const Traffics& before);

  // The figures in this interval, once an interval, before what may be moved is asked. Where the
  // region was moved two intervals ago, and neither is the local ratio above, nor the imbalance
  // below what it was before, it is stopped: neither its own, nor those of all regions, since units
  // are dealt to nodes that are short of all of them. Without samples nothing is judged.
  Standing judge(std::uint64_t region, const Traffics& now);

  Standing standing(std::uint64_t region) const;

  // What an interval had decided on and could not end, for want of bytes it was allowed: it goes on
  // in the next, also where by then the figures are better than the thresholds at which the rules
  // begin. They were made for moving all at once.
  void leave(const Enabled& rest) { rest_ = rest; }
  const Enabled& rest() const { return rest_; }
  // Likewise of dealing that something else has undone in part.
  void go_on_dealing() { rest_.interleaving = true; }

  // A mapping is gone: what is there later is another. Its units may be moved again.
  void forget(std::uint64_t region, const Range& range);

 private:
  struct Moved {
    std::uint64_t last = 0;
    int times = 0;
  };
  struct Watched {
    bool is_stopped = false;
    bool is_awaited = false;
    std::uint64_t since = 0;
    Traffics before;
  };

  std::uint64_t now_ = 0;
  Enabled rest_;
  std::unordered_map<std::uintptr_t, Moved> moved_;
  std::unordered_map<std::uint64_t, Watched> regions_;
};

// Whether a node may be given more: at least 5 % of its memory are free. Bytes, below 2^57.
bool has_room(std::uint64_t free, std::uint64_t total);

}  // namespace nestbind::memory
