// SPDX-License-Identifier: BSD-3-Clause
// The page faults of this process, as the kernel counts them: the only caller of perf_event_open.
//
// Events for each processor, which all threads inherit that are created from then on, by whatever
// library: no thread has to do anything, neither when it begins nor when it ends. They are software
// events: no hardware is needed, so that they work in virtual machines. Forked children have none
// (Linux 5.13; before, theirs are told with their process, and have to be left out).
//
// Two for each: a fine one tells of every fault, and is switched off while there are many; a coarse
// one, whose period the kernel adapts to kMostPerSecond, tells of so many then. A huge page has one
// fault, which a coarse one alone would miss behind others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "memory/watch/fault_records.hpp"
#include "support/mapped_memory.hpp"

namespace nestbind::memory::kernel {

// Samples of each thread a second, of coarse events. Some 500,000 pages can be touched in that
// time: periods are from 1 to some 500. Each thread has its own, so that who has few faults, such
// as hint faults, is sampled finely beside another one that has many.
inline constexpr unsigned kMostPerSecond = 4000;

class Samples {
 public:
  Samples() = default;
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  ~Samples() { end(); }

  // Begins to count, for the calling thread and those that it and they create. Returns 0, or the
  // kernel's error: EACCES or EPERM where perf_event_paranoid or a sandbox forbids it, or where the
  // user's processes have all of perf_event_mlock_kb; EPERM also where a sandbox would end the
  // process for the attempt, which is not made then; ENOSYS, ENOENT where the kernel has no
  // events.
  int begin();

  // Counts no more.
  void end();

  // Hands all samples that are there to `take(const Sample&)`. For one thread at a time. Returns
  // how many were lost because nobody came in time.
  template <typename Take>
  std::uint64_t drain(Take take) {
    std::uint64_t faults = 0;
    fullest_ = std::max(fullest_of(fine_), fullest_of(coarse_));
    const bool is_fine = is_fine_ && !has_lost(fine_);
    const auto take_if = [&](bool is_wanted) {
      return [&faults, &take, is_wanted](const Sample& sample) {
        if (is_wanted) {
          faults += sample.weight;
          take(sample);
        }
      };
    };
    read(fine_, take_if(is_fine));
    const std::uint64_t lost = read(coarse_, take_if(!is_fine));
    choose(is_fine, faults);
    return is_fine ? 0 : lost;
  }

  // How much of the fullest ring was used when they were drained last, per cent.
  unsigned fullest() const { return fullest_; }

  // In a forked child, which does not have the mappings.
  void forget() {
    fine_.clear();
    coarse_.clear();
  }

 private:
  struct Ring {
    void* control = nullptr;  // the kernel's page; the bytes follow it
    std::size_t bytes = 0;
    std::uint64_t tail = 0;
    int event = -1;  // a descriptor, of a fine one; the program may have closed it
  };
  using Rings = support::MappedVector<Ring>;

  template <typename Take>
  std::uint64_t read(Rings& rings, Take take) {
    std::uint64_t lost = 0;
    for (Ring& ring : rings) {
      const std::uint64_t head = head_of(ring);
      std::uint64_t tail = ring.tail;
      Sample sample;
      for (Record kind = next(ring, tail, head, sample); kind != Record::kNone;
           kind = next(ring, tail, head, sample)) {
        if (kind == Record::kSample) {
          take(sample);
        }
        lost += kind == Record::kLost ? sample.weight : 0;
      }
      finish(ring, tail);
    }
    return lost;
  }

  static std::uint64_t head_of(const Ring& ring);
  static Record next(const Ring& ring, std::uint64_t& tail, std::uint64_t head, Sample& sample);
  static void finish(Ring& ring, std::uint64_t tail);
  static unsigned fullest_of(const Rings& rings);
  static bool has_lost(const Rings& rings);
  static int open_ring(int processor, bool is_fine, Ring& ring);
  static int open_rings(bool is_fine, Rings& rings);
  static void close_rings(Rings& rings);
  void choose(bool was_fine, std::uint64_t faults);
  bool switch_fine(bool is_on);

  Rings fine_;
  Rings coarse_;
  bool is_fine_ = false;  // the fine ones are on
  unsigned fullest_ = 0;
  double last_choice_ = 0;  // when it was; seconds
};

}  // namespace nestbind::memory::kernel
