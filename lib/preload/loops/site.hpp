// SPDX-License-Identifier: BSD-3-Clause
// One loop of the program in one team: its measurements, and the resulting parameters.
//
// All threads must divide an execution in the same way. So parameters may change only while no
// thread can be in the loop. So each thread counts its forks and barriers. After a fork or a
// barrier, no thread is in an earlier execution of the loop. Then the new execution is *measured*.
// Otherwise all members use the defaults, and nothing is measured. All members decide the same,
// because they run the same constructs.
//
// There are two sets of parameters, 0 and 1. The tag in state_ identifies the newest measured
// execution. The lowest bit of state_ is the number of its set. The first thread of a new execution
// writes the new tag, and flips this bit. The set with the new number is complete, because its
// writer has passed a barrier. Then the first thread computes the other set from the times of the
// last execution. No thread waits for this set, because only the next execution uses it. For
// example, execution 3 uses the times of execution 1. There are also two tables of times. Threads
// write to one table, while the first thread reads the table of the last execution.
//
// Measuring takes 0.1 microseconds. A loop without chunks settles after some executions without a
// change. If the user sets the fraction, a loop with chunks also settles. One of 16 executions of a
// settled loop is measured. If the blocks have owners, one of eight executions is measured. The tag
// alone selects the measured executions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "loops/cursor.hpp"
#include "loops/estimate.hpp"
#include "loops/ownership.hpp"

namespace nestbind::loops {

struct Parameters {
  int static_parts = kParts;
  std::uint64_t chunk = 1;
  const std::uint32_t* weights = nullptr;
  // If not null, the loop's blocks have owners, and the members above are not used.
  Ownership* owners = nullptr;
  int set = 0;
};

// Returns the parameters of a loop without measurements. Then "auto" means f = 0.5 and the chunk of
// default_chunk().
Parameters default_parameters(const Schedule& schedule, std::uint64_t iterations, int threads);

struct Moment {
  std::uint64_t fork = 0;      // the number of the team's fork; unique
  std::uint64_t barriers = 0;  // passed since the fork
};

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what members write has its own line
class Site {
 public:
  static std::size_t bytes(int threads);
  // Makes a site in memory aligned to 64 bytes.
  static Site* make(void* memory, std::uintptr_t address, std::uint64_t team, int threads);

  std::uintptr_t address() const { return address_; }
  std::uint64_t team() const { return team_; }
  int threads() const { return threads_; }
  bool is_of(std::uintptr_t address, std::uint64_t team, int threads) const {
    return address_ == address && team_ == team && threads_ == threads;
  }

  // Tables of the parameters do not change until the member begins its next execution of this loop.
  // `take` is the time to take a chunk. Returns true if leave() needs Times. All members get the
  // same result.
  bool enter(int member, const Moment& moment, const Schedule& schedule, std::uint64_t iterations,
             Ticks take, Parameters& parameters) {
    return enter(member, moment, schedule, iterations, take, nullptr, parameters);
  }
  // Like enter() above. If `coming` is not null, the blocks get owners. The first such call
  // allocates memory.
  bool enter(int member, const Moment& moment, const Schedule& schedule, std::uint64_t iterations,
             Ticks take, const Ownership::Coming* coming, Parameters& parameters);

  struct Times {
    Ticks begin = 0;
    Ticks block_end = 0;
    Ticks end = 0;
  };
  void leave(int member, const Times& times, const Tally& tally);
  // Like leave() above, for an execution without times.
  void leave(int member, const Tally& tally);

  // Records for the report how an execution divides the loop.
  void note_division(std::uint64_t grain, bool has_shared_queue);

  // summary() may be called at any time.
  struct Summary {
    std::uint64_t executions = 0;  // the largest count of a member
    std::uint64_t iterations = 0;
    Tally tally;
    bool had_owners = false;  // the last execution used owners, not f
    int static_parts = 0;
    std::uint64_t chunk = 0;        // in whole grains
    bool has_shared_queue = false;  // some "own" chunks are from shared queues
    std::uint64_t measured = 0;     // number of executions for the figures below
    Ticks time = 0;                 // the sum of the executions' times
    std::uint64_t imbalance = 0;    // longest / mean busy time in the last execution, in 1/kOne
    Ticks wait = 0;                 // the sum of the mean waits for the last member
    Ownership::Summary owners;      // `blocks` is 0 if there were never owners
  };
  Summary summary() const;

  // Returns the memory of the site's owners, or null. The caller frees this memory.
  void* more_memory() const { return Ownership::memory(owners_); }

 private:
  using Cell = std::atomic<std::uint64_t>;
  // The weights of a set are in weights_.
  struct Set {
    Estimate estimate;
    int static_parts = kParts;
    std::uint64_t chunk = 1;
    bool has_weights = false;
    std::uint32_t unchanged = 0;
    std::uint64_t seldom = 0;  // 0 if the loop has not settled
  };
  struct Figures {
    std::atomic<std::uint64_t> tag{0};
    Cell begin{0};
    Cell block_end{0};
    Cell end{0};
    Cell block_iterations{0};
    Cell iterations{0};
  };
  struct alignas(64) Slot {
    Moment moment;
    std::uint64_t count = 0;  // executions since the fork
    std::uint64_t tag = 0;
    int set = 0;
    Figures figures[2];
    Cell executions{0};
    Cell tally[2 + kDistances];
  };
  struct Spread {
    Sample sample;
    Ticks longest = 0;
    Ticks first = ~Ticks{0};
    Ticks last = 0;
    Ticks waits = 0;  // sum of the members' waits for the last member
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
  // For the report. measured_, time_ and wait_ are about all measured executions except the last,
  // which is not evaluated yet. The other cells have the latest values.
  Cell static_parts_{0};
  Cell chunk_{0};
  Cell had_owners_{0};
  Cell grain_{1};
  std::atomic<bool> has_shared_queue_{false};
  Cell measured_{0};
  Cell time_{0};
  Cell wait_{0};
  alignas(64) std::atomic<std::uint64_t> state_{0};
};

// The loops that have been measured: one table for the process, of fixed size and without a lock.
// An entry is never reused for another loop. So all threads find the same site, or no site.

class Sites {
 public:
  static constexpr int kSize = 8192;
  // The number of entries that a loop may use. This number is small, so that a failing search is
  // short. In a half-full table, every loop finds an entry.
  static constexpr int kPlaces = 64;

  constexpr Sites() = default;

  // The first call allocates the site. `address` is unique for the loop, and `team` for the team.
  // Both numbers are not 0, and `team` is never reused for another team. Returns null if all
  // entries for the loop are taken, or there is no memory. Also returns null if another loop has
  // the same key (probability 2^-64). If one call returns null, all later calls for this loop
  // return null, for all members.
  Site* find(std::uintptr_t address, std::uint64_t team, int threads);

  // The team must have ended. No thread may call each() at the same time. The entries stay taken.
  void forget(std::uint64_t team);

  // The bytes of all sites, without the memory of owners (Ownership).
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  template <typename Visit>
  void each(Visit visit) const {
    for (const Entry& entry : entries_) {
      Site* site = entry.site.load(std::memory_order_acquire);
      if (is_site(site)) {
        visit(static_cast<const Site&>(*site));
      }
    }
  }

  bool is_empty() const { return !was_used_.load(std::memory_order_relaxed); }

  bool was_full() const { return was_full_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    std::atomic<std::uint64_t> key{0};  // of the loop and the team; 0: free
    std::atomic<Site*> site{nullptr};   // written after the key
  };
  static bool is_site(const Site* site);
  Site* site_of(Entry& entry, std::uintptr_t address, std::uint64_t team, int threads);

  Entry entries_[kSize];
  std::atomic<std::size_t> bytes_{0};
  std::atomic<bool> was_used_{false};
  std::atomic<bool> was_full_{false};
};

}  // namespace nestbind::loops
