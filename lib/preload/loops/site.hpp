// SPDX-License-Identifier: BSD-3-Clause
// One loop of the program in one team: what was measured of it, and the parameters that follow.
//
// All threads of an execution have to divide alike, so parameters may change only where nobody can
// be in the loop. Each thread counts the barriers that it passes (the fork is one). If it has
// passed one since it was last here, nobody is here any more, and all members conclude the same,
// since they run the same constructs. Then the execution is a *measured* one; it has a tag, made of
// the team's fork and of how often the thread has been here since. If there was no barrier, all
// members use the defaults, and nothing is measured.
//
// state_ has the tag of the newest measured execution, and which of two sets of parameters it uses.
// Who finds an older tag there puts its own in, together with the other set. That set is complete:
// it was written at the begin of an earlier measured execution, by a thread that has passed a
// barrier since. The one thread whose exchange succeeds then writes the set for the next execution,
// from the times of the last one; nobody waits for it. So an execution uses what was measured two
// before it. Times are kept twice as well: those of this execution, and those of the last one,
// which nobody writes any more.
//
// Measuring a loop of a microsecond costs a tenth of it. A loop that has settled, since nothing is
// to be gained by giving chunks away, or its fraction is given and its chunk stays the same, is
// measured in one of 16 executions, and one whose blocks have owners in one of eight: which ones,
// follows from the tag alone. In the others nothing is written but the member's own count, and the
// parameters in force hold. How seldom it is measured is a part of them, and of state_.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "loops/cursor.hpp"
#include "loops/estimate.hpp"
#include "loops/ownership.hpp"

namespace nestbind::loops {

// What a thread uses for one execution.
struct Parameters {
  int static_parts = kParts;
  std::uint64_t chunk = 1;
  const std::uint32_t* weights = nullptr;  // as Loop::weights
  // Where the loop's blocks have owners: all above does not count then.
  Ownership* owners = nullptr;
  int set = 0;  // of these
};

// What holds where nothing has been measured: the schedule's own figures, and for those that are
// automatic f = 0.5 and a thirty-second of a share.
Parameters default_parameters(const Schedule& schedule, std::uint64_t iterations, int threads);

// Where a member is when it comes to a loop; all members have the same.
struct Moment {
  std::uint64_t fork = 0;      // of the team; no two alike
  std::uint64_t barriers = 0;  // passed since
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what members write has its own line
class Site {
 public:
  // Bytes for a team of so many threads.
  static std::size_t bytes(int threads);
  // Makes a site of memory that is aligned to 64 bytes, for a loop at an address (the report tells
  // it) in a team.
  static Site* make(void* memory, std::uintptr_t address, std::uint64_t team, int threads);

  std::uintptr_t address() const { return address_; }
  std::uint64_t team() const { return team_; }
  int threads() const { return threads_; }
  bool is_of(std::uintptr_t address, std::uint64_t team, int threads) const {
    return address_ == address && team_ == team && threads_ == threads;
  }

  // A member begins an execution, with these parameters; tables in them stay as they are until the
  // member begins the next one here. take: what a take costs. Returns whether times are wanted
  // (start, end of the static block, end), to be handed to leave(); the same for all members.
  bool enter(int member, const Moment& moment, const Schedule& schedule, std::uint64_t iterations,
             Ticks take, Parameters& parameters) {
    return enter(member, moment, schedule, iterations, take, nullptr, parameters);
  }
  // The same of a loop whose blocks are to have owners; null: they are not. (An allocation, once.)
  bool enter(int member, const Moment& moment, const Schedule& schedule, std::uint64_t iterations,
             Ticks take, const Ownership::Coming* coming, Parameters& parameters);

  // What a member tells of an execution that it has ended, and not given up.
  struct Times {
    Ticks begin = 0;
    Ticks block_end = 0;
    Ticks end = 0;
  };
  void leave(int member, const Times& times, const Tally& tally);
  // The same of an execution without times: what it ran counts for the report.
  void leave(int member, const Tally& tally);

  // For the report: how an execution is divided, beyond its parameters. By one member. grain: as
  // Loop::grain; has_shared_queue: some queue has several members.
  void note_division(std::uint64_t grain, bool has_shared_queue);

  // For the report, at any time; what changes meanwhile may be told in part.
  struct Summary {
    std::uint64_t executions = 0;  // as the member with most of them has counted
    std::uint64_t iterations = 0;  // all members together
    Tally tally;
    bool had_owners = false;        // its blocks, the last time: the next two were not used then
    int static_parts = 0;           // that were used last
    std::uint64_t chunk = 0;        // in whole grains
    bool has_shared_queue = false;  // in some execution: not all of its "own" chunks were its own
    std::uint64_t measured = 0;     // executions that the following are of
    Ticks time = 0;  // sum over executions of the time from the first begin to the last end
    std::uint64_t imbalance = 0;  // of the last: longest / mean time to the end of all that a
                                  // thread ran, in 1/Estimate::kOne
    Ticks wait = 0;               // sum over executions of the members' mean wait for the last
    Ownership::Summary owners;    // of blocks; without any, there have never been owners
  };
  Summary summary() const;

  // What was allocated beside the site, for whoever gives it back; may be null.
  void* more_memory() const { return Ownership::memory(owners_); }

 private:
  // All numbers that the report may read while they change.
  using Cell = std::atomic<std::uint64_t>;
  // Parameters for an execution, and what they follow from. The weights are in a table of their
  // own.
  struct Set {
    Estimate estimate;
    int static_parts = kParts;
    std::uint64_t chunk = 1;
    bool has_weights = false;
    std::uint32_t unchanged = 0;  // for how many measured executions, up to kSettled
    std::uint64_t seldom = 0;     // once it has settled: how seldom it is measured
  };
  // What one member measured in one execution.
  struct Figures {
    std::atomic<std::uint64_t> tag{0};  // of that execution
    Cell begin{0};
    Cell block_end{0};
    Cell end{0};
    Cell block_iterations{0};
    Cell iterations{0};
  };
  // What one member writes.
  struct alignas(64) Slot {
    Moment moment;            // when it was last here
    std::uint64_t count = 0;  // how often, since the fork
    std::uint64_t tag = 0;    // of the execution that it is in; 0: not a measured one
    int set = 0;              // that it uses
    Figures figures[2];       // by set
    Cell executions{0};
    Cell tally[2 + kDistances];
  };
  // What follows from the figures of one execution.
  struct Spread {
    Sample sample;
    Ticks longest = 0;        // from its begin to its end, of a member
    Ticks first = ~Ticks{0};  // the first begin
    Ticks last = 0;           // the last end
    Ticks waits = 0;          // of all members together, for the last
  };

  bool has_passed_barrier(Slot& slot, const Moment& moment);
  std::uint64_t state_of(std::uint64_t tag, int set) const;
  static bool is_skipped(std::uint64_t state, std::uint64_t tag);
  void prepare(int next, std::uint64_t last_tag, const Schedule& schedule, Ticks take);
  void prepare_owners(Ownership& owners, int next, const Ownership::Coming& coming,
                      const Schedule& schedule, Ticks take);
  void prepare_weights(int next, std::uint64_t last_tag, const Sample& sample);
  Spread spread_of(int set, std::uint64_t tag) const;
  void use(int set, const Schedule& schedule, std::uint64_t iterations,
           Parameters& parameters) const;
  std::uint32_t* weights_of(int set) const;
  Slot& slot(int member) const { return slots_[member]; }

  std::uintptr_t address_ = 0;
  std::uint64_t team_ = 0;
  int threads_ = 0;
  Slot* slots_ = nullptr;
  std::uint32_t* weights_ = nullptr;
  Set sets_[2];
  std::atomic<Ownership*> owners_{nullptr};
  // For the report: of what has been looked at, all but the last execution.
  Cell static_parts_{0};
  Cell chunk_{0};
  Cell had_owners_{0};
  Cell grain_{1};
  std::atomic<bool> has_shared_queue_{false};
  Cell measured_{0};
  Cell time_{0};
  Cell wait_{0};
  alignas(64) std::atomic<std::uint64_t> state_{0};  // tag, how seldom its set is measured, set
};

}  // namespace nestbind::loops
