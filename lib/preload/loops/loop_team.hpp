// SPDX-License-Identifier: BSD-3-Clause
// A team, as its loops see it: the queues, and for each member where it is. This is what the hooks
// use; they keep a team for each path of teams, with room for as many members as are ever asked
// for, and open it at each fork.
//
//   on the forking thread, before the fork:   team.open(places, version, sharing)
//   on each member, for each of its loops:    member.begin(start, settings)
//                                             while (member.next(range)) the body runs
//     with a time handed in (note_time) in front of each next() that wants one, and behind the last
//   when it passes a barrier of its team:     member.pass_barrier()
//
// A member's functions are called by its thread only. No function waits, locks or allocates, but
// for begin() at a loop that the table of sites does not have yet.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "loops/cursor.hpp"
#include "loops/list_cursor.hpp"
#include "loops/schedule.hpp"
#include "loops/sites.hpp"

namespace nestbind::loops {

// A loop, as a thread comes to it. The same for all members.
struct LoopStart {
  std::uint64_t iterations = 0;
  int threads = 0;          // that the fork has got; 0: all that the team has room for
  std::uint64_t grain = 1;  // the loop's own chunk clause, where it has one; at least 1
  // Below 2^48; 0: not known, and then nothing is measured. Members may come to one loop with
  // several, those of copies that a compiler made.
  std::uintptr_t address = 0;
  bool is_monotonic = false;  // each thread has to get rising iterations
};

// The same for all members, and for as long as a team is open.
struct Settings {
  Schedule schedule;
  Sites* sites = nullptr;    // null: nothing is measured; of a team always the same
  bool is_reported = false;  // measures loops whose schedule says all, too
  Ticks take = 0;            // what a take from a queue costs
};

class Team;

class alignas(64) Member {
 public:
  // Begins a loop. One that is still open is given up.
  void begin(const LoopStart& start, const Settings& settings);

  // The next iterations of the loop (counted from 0). False, with `range` untouched, when it is
  // done.
  bool next(Range& range) {
    if (!is_open()) {
      return false;
    }
    if (has_owners_ ? next_of_lists(range) : cursor_.next(range) != Source::kNothing) {
      return true;
    }
    if (site_ != nullptr) {
      end_loop();
    }
    return false;
  }
  // The same, if what comes is plain: of the queue that the last ones were from (after these no
  // time is wanted), or the static block, and its time is not wanted. False, with nothing changed,
  // otherwise.
  bool next_plain(Range& range) {
    return cursor_.next_of_same(range) || (clock_ == Clock::kOff && cursor_.next_block(range));
  }
  // Of what next() gave last, and of the loop that has begun last.
  bool has_last() const { return has_owners_ ? lists_.has_last() : cursor_.has_last(); }
  bool is_open() const { return has_owners_ ? lists_.is_open() : cursor_.is_open(); }
  const Tally& tally() const { return has_owners_ ? lists_.tally() : cursor_.tally(); }
  const Parameters& parameters() const { return parameters_; }

  // The loop is left by cancellation. (Otherwise the next begin() sees to it.)
  void leave();

  // Ask in front of each next(), and behind one that has returned false, whether the time of now is
  // wanted, and hand it in then. That is three times for a loop that is measured, and where blocks
  // have owners once for each run of them.
  bool wants_time() const { return clock_ != Clock::kOff && clock_ != Clock::kWaits; }
  void note_time(Ticks now);

  // The thread has passed a barrier of the team.
  void pass_barrier() {
    ++moment_.barriers;
    since_barrier_ = 0;
  }

 private:
  friend class Team;
  // What the next time is of. kRunEnd: of a run of blocks that have owners.
  enum class Clock : std::uint8_t { kOff, kBegin, kBlockEnd, kRunEnd, kWaits, kEnd };
  // The member's share of the loop that was static altogether last: the next one may be alike.
  struct Share {
    std::uint64_t iterations = 0;
    std::uint64_t grain = 1;
    int threads = 0;
    Range range;
  };
  // Sites that have been found, by some bits of their addresses.
  struct Known {
    std::uintptr_t address = 0;
    Site* site = nullptr;
  };
  static constexpr int kKnown = 8;

  void enter_region();
  bool is_all_static(const LoopStart& start) const;
  void begin_measured(const LoopStart& start, const Settings& settings);
  void find_parameters(const LoopStart& start, const Settings& settings);
  // Whatever is measured: it is not worth its time, and most such loops are small.
  bool is_static_anyway(const LoopStart& start, const Schedule& schedule) const {
    return threads_ == 1 || start.iterations <= static_cast<std::uint64_t>(threads_) ||
           (schedule.has_fraction() && schedule.static_parts() == kParts &&
            schedule.weights != Weights::kMeasured);
  }
  Site* site_of(std::uintptr_t address, Sites& sites);
  std::uintptr_t agreed_address(std::uintptr_t own);
  const Range& share(const LoopStart& start) {
    if (share_.iterations != start.iterations || share_.grain != start.grain ||
        share_.threads != threads_) {
      find_share(start);
    }
    return share_.range;
  }
  void find_share(const LoopStart& start);
  void begin_lists(const LoopStart& start, const Settings& settings);
  bool next_of_lists(Range& range);
  void begin_divided(const LoopStart& start, bool taper);
  void divide(const LoopStart& start, bool taper);
  Grouping grouping(bool is_monotonic) const;
  std::uint64_t next_generation();
  const Victim* victims(const Grouping& grouping);
  bool enter(Site& site, const LoopStart& start, const Settings& settings);
  void end_run(Ticks now);
  void end_loop();

  Team* team_ = nullptr;
  int number_ = 0;
  Clock clock_ = Clock::kOff;
  bool has_owners_ = false;               // the loop's blocks have: then lists_ is the cursor,
  Source run_source_ = Source::kNothing;  // which had this run from there
  int threads_ = 0;                       // of this loop
  int ordered_for_ = 0;                   // how many threads the victims are ordered for
  std::uint32_t order_of_ = 0;     // the version of the grouping that the victims are ordered by,
  std::uint32_t divided_for_ = 0;  // and that the division is of
  int since_barrier_ = 0;          // loops that may be measured, in this region
  std::uint64_t generation_ = 0;   // of the next loop with queues
  std::uint64_t reserved_ = 0;     // generations below are known to the team as used
  std::uint64_t renewed_ = 0;      // when the thread last looked at its queue's word, in kRenewal
  Moment moment_;
  Site* site_ = nullptr;  // null: nobody wants to know of this loop
  Parameters parameters_;
  Share share_;
  Known known_[kKnown];
  Site::Times times_;
  Division division_;
  Cursor cursor_;
  ListedLoop listed_;
  ListCursor lists_;
  Ticks run_begin_ = 0;  // of the run that is measured
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what members write has its own line
class Team {
 public:
  // Bytes for so many threads, at most kMostMembers. (Teams of more are not ours.)
  static std::size_t bytes(int threads);
  // Makes a team of memory that is aligned to 64 bytes and all zero. identity: see Sites::find.
  static Team* make(void* memory, int threads, std::uint64_t identity);
  std::uint64_t identity() const { return identity_; }

  // Called on the forking thread when nobody is in the team, before its members begin. The tables
  // of `places` stay until it is opened again. version: changes when they do (0 is not used).
  void open(const Places& places, std::uint32_t version, Sharing sharing) {
    ++fork_;
    base_ = unused_.load(std::memory_order_relaxed);
    if (base_ - renewed_ >= kLong) {
      renew_all();
    }
    if (places_version_ != version || sharing_ != sharing) {
      group_by(places, version, sharing);
    }
  }

  // That there is room for.
  int threads() const { return threads_; }
  Member& member(int number) { return members_[number]; }

  // For tests of what happens when generations wrap; nobody is in the team. The next fork's loops
  // begin with this one, and all queues are as if they had been used just before.
  void set_generation(std::uint64_t generation);
  // The same, and all queues are as they were: forks have come so far without them, or one region
  // has.
  void skip_to(std::uint64_t generation, bool in_one_region);

 private:
  friend class Member;
  // How many loops behind a barrier have an address: others have the defaults.
  static constexpr int kAgreed = 32;
  // How many generations a word may stay as it is.
  static constexpr std::uint64_t kLong = kGenerations / 8;

  Queues queues() { return {queues_, &finished_}; }
  void renew_all();
  void group_by(const Places& places, std::uint32_t version, Sharing sharing);

  int threads_ = 0;
  std::uint32_t places_version_ = 0;
  std::uint32_t version_ = 0;  // of the grouping; counted from 1
  std::uint64_t identity_ = 0;
  Sharing sharing_ = Sharing::kThread;
  Grouping grouping_;
  Places places_;
  Queue* queues_ = nullptr;
  Member* members_ = nullptr;
  Victim* victims_ = nullptr;       // threads_ for each member
  std::uint16_t* first_ = nullptr;  // tables of grouping_
  std::uint16_t* queue_of_ = nullptr;
  // What each fork writes has a line of its own, for members need not look at it for small loops.
  alignas(64) std::uint64_t fork_ = 0;    // counts open()
  std::uint64_t base_ = 0;                // the first generation of this fork
  std::uint64_t renewed_ = 0;             // when the words of all members were last looked at
  std::atomic<std::uint64_t> unused_{1};  // no generation from here on has been used
  Queue finished_;
  // Of the loops behind the newest barrier, in their order, the addresses of who came first, each
  // with some bits of the moment.
  alignas(64) std::atomic<std::uint64_t> agreed_[kAgreed] = {};
};

}  // namespace nestbind::loops
