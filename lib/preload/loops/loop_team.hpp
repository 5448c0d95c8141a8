// SPDX-License-Identifier: BSD-3-Clause
// The data of a team's loops: the queues, and the state of each member. The hooks keep a Team for
// each path (for example, for the inner teams of outer thread 2), and open this Team at each fork.
//
//   team.open(places, version, sharing);  // on the forking thread, before the fork
//
//   member.begin(start, settings);        // on each member, for each of its loops
//   while (member.next(range)) {          // calls of note_time() are not shown
//     body(range);
//   }
//
//   member.pass_barrier();                // after each barrier of the member's team
//
// Only the member's own thread calls functions of a Member. No function waits, locks or allocates,
// except begin() for a loop that is not yet in the table of sites.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "loops/cursor.hpp"
#include "loops/list_cursor.hpp"
#include "loops/schedule.hpp"
#include "loops/site.hpp"

namespace nestbind::loops {

// All members must give the same values. Only `address` may differ.
struct LoopStart {
  std::uint64_t iterations = 0;
  int threads = 0;          // threads of this fork; 0: as many as the Team has
  std::uint64_t grain = 1;  // the chunk size of the loop's schedule clause; at least 1
  // The address of the loop's code, below 2^48. If it is 0 (not known), nothing is measured.
  std::uintptr_t address = 0;
  bool is_monotonic = false;  // each thread must get ascending iterations
};

// The settings are the same for all members while a team is open.
struct Settings {
  Schedule schedule;
  // All loops of a team use the same table. If the table is null, nothing is measured.
  Sites* sites = nullptr;
  bool is_reported = false;  // also measures loops with a complete schedule
  Ticks take = 0;            // the time to take a chunk
};

class Team;

class alignas(64) Member {
 public:
  void begin(const LoopStart& start, const Settings& settings);

  // If the loop is done, returns false and leaves `range` unchanged.
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
  // The fast cases of next(). If the result is false, call next().
  bool next_plain(Range& range) {
    return cursor_.next_of_same(range) || (clock_ == Clock::kOff && cursor_.next_block(range));
  }
  bool has_last() const { return has_owners_ ? lists_.has_last() : cursor_.has_last(); }
  bool is_open() const { return has_owners_ ? lists_.is_open() : cursor_.is_open(); }
  const Tally& tally() const { return has_owners_ ? lists_.tally() : cursor_.tally(); }
  const Parameters& parameters() const { return parameters_; }

  // Gives up a cancelled loop. The next begin() also does this.
  void leave();

  // Call wants_time() before each next(), and after the last next(). If wants_time() returns true,
  // call note_time() with the present time.
  bool wants_time() const { return clock_ != Clock::kOff && clock_ != Clock::kWaits; }
  void note_time(Ticks now);

  void pass_barrier() {
    ++moment_.barriers;
    since_barrier_ = 0;
  }

 private:
  friend class Team;
  enum class Clock : std::uint8_t { kOff, kBegin, kBlockEnd, kRunEnd, kWaits, kEnd };
  struct Share {
    std::uint64_t iterations = 0;
    std::uint64_t grain = 1;
    int threads = 0;
    Range range;
  };
  struct Known {
    std::uintptr_t address = 0;
    Site* site = nullptr;
  };
  static constexpr int kKnown = 8;

  void enter_region();
  bool is_all_static(const LoopStart& start) const;
  void begin_measured(const LoopStart& start, const Settings& settings);
  void find_parameters(const LoopStart& start, const Settings& settings);
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
  bool has_owners_ = false;  // the loop's blocks have owners; lists_ is used
  Source run_source_ = Source::kNothing;
  int threads_ = 0;
  int ordered_for_ = 0;  // the victims are sorted for a team of this size
  std::uint32_t order_of_ = 0;
  std::uint32_t divided_for_ = 0;
  int since_barrier_ = 0;  // measurable loops since the last barrier
  std::uint64_t generation_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint64_t renewed_ = 0;  // generation / kRenewal at the last call of renew()
  Moment moment_;
  Site* site_ = nullptr;  // null: this loop is neither measured nor reported
  Parameters parameters_;
  Share share_;
  Known known_[kKnown];
  Site::Times times_;
  Division division_;
  Cursor cursor_;
  ListedLoop listed_;
  ListCursor lists_;
  Ticks run_begin_ = 0;
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what members write has its own line
class Team {
 public:
  // `threads` is at most kMostMembers.
  static std::size_t bytes(int threads);
  // Makes a team in zeroed memory, aligned to 64 bytes.
  static Team* make(void* memory, int threads, std::uint64_t identity);
  std::uint64_t identity() const { return identity_; }

  // Called on the forking thread while no member runs. The tables of `places` must stay valid until
  // the next open(). `version` is never 0, and changes if the tables change.
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

  int threads() const { return threads_; }
  Member& member(int number) { return members_[number]; }

  // For tests. The loops of the next fork begin with this generation.
  void set_generation(std::uint64_t generation);
  // Like set_generation(), but the queues do not change. This is the state after many forks whose
  // loops use no queues.
  void skip_to(std::uint64_t generation, bool in_one_region);

 private:
  friend class Member;
  // After a barrier, only this number of loops can be measured. Later loops use default parameters.
  static constexpr int kAgreed = 32;
  // A word may stay unchanged for this number of generations.
  static constexpr std::uint64_t kLong = kGenerations / 8;

  Queues queues() { return {queues_, &finished_}; }
  // Places the arrays behind this object in `memory`, and returns the size of all together. If
  // `memory` is null, only the size is valid.
  std::size_t lay_out(void* memory, int threads);
  void renew_all();
  void group_by(const Places& places, std::uint32_t version, Sharing sharing);

  int threads_ = 0;
  std::uint32_t places_version_ = 0;
  std::uint32_t version_ = 0;
  std::uint64_t identity_ = 0;
  Sharing sharing_ = Sharing::kThread;
  Grouping grouping_;
  Places places_;
  Queue* queues_ = nullptr;
  Member* members_ = nullptr;
  Victim* victims_ = nullptr;
  std::uint16_t* first_ = nullptr;
  std::uint16_t* queue_of_ = nullptr;
  // Words that each fork writes, in their own cache line. Small loops do not read this line.
  alignas(64) std::uint64_t fork_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t renewed_ = 0;
  std::atomic<std::uint64_t> unused_{1};
  Queue finished_;
  // Entry i has the agreed address of the i-th loop since the last barrier. The upper 16 bits
  // identify the fork and the barrier.
  alignas(64) std::atomic<std::uint64_t> agreed_[kAgreed] = {};
};

}  // namespace nestbind::loops
