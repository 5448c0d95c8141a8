// SPDX-License-Identifier: BSD-3-Clause
// The page faults of this process, as the kernel counts them: the only caller of perf_event_open.
//
// One event for each processor, which all threads inherit that are created from then on, by
// whatever library: no thread has to do anything, neither when it begins nor when it ends, and the
// program has no descriptor of ours to close (the mapping keeps the event). It is a software event:
// no hardware is needed, so that it works in virtual machines. The kernel adapts the period to
// kMostPerSecond; each sample tells its own. Forked children have none (Linux 5.13; before, theirs
// are told with their process, and have to be left out).
#pragma once

#include <cstddef>
#include <span>

#include "memory/watch/records.hpp"
#include "support/mapped_memory.hpp"

namespace nestbind::memory::kernel {

// Samples of each thread a second. At most 500,000 pages can be touched in that time: periods are
// from 1 to some 64.
inline constexpr unsigned kMostPerSecond = 8000;

class Samples {
 public:
  Samples() = default;
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  ~Samples() { end(); }

  // Begins to count, for the calling thread and those that it and they create. Returns 0, or the
  // kernel's error: EACCES or EPERM where perf_event_paranoid or a sandbox forbids it, or where the
  // user's processes have all of perf_event_mlock_kb; ENOSYS, ENOENT where the kernel has no events.
  int begin();

  bool has_begun() const { return !rings_.empty(); }

  // Counts no more.
  void end();

  // Hands all samples that are there to `take(const Sample&)`. For one thread at a time. Returns how
  // many were lost because nobody came in time.
  template <typename Take>
  std::uint64_t drain(Take take) {
    std::uint64_t lost = 0;
    for (Ring& ring : rings_) {
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

  // In a forked child, which does not have the mappings.
  void forget() { rings_.clear(); }

 private:
  struct Ring {
    void* control = nullptr;  // the kernel's page; the bytes follow it
    std::size_t bytes = 0;
    std::uint64_t tail = 0;
  };
  static std::uint64_t head_of(const Ring& ring);
  static Record next(const Ring& ring, std::uint64_t& tail, std::uint64_t head, Sample& sample);
  static void finish(Ring& ring, std::uint64_t tail);
  static int open_ring(int processor, Ring& ring);

  support::MappedVector<Ring> rings_;
};

}  // namespace nestbind::memory::kernel
