// SPDX-License-Identifier: BSD-3-Clause
// Root threads that divide the machine: who is one, who is live, and which part each has. Knows no
// plan and no clock.
#pragma once

#include <atomic>
#include <limits>

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

struct Share;

// What is not atomic is read and written under the lock of plans.
struct Root {
  // Milliseconds; 0: it is in a region. Its thread writes it without the lock.
  std::atomic<long> outside_since{0};
  int number = 0;
  bool is_used = false;
  bool is_live = false;     // as it was looked for last
  mask::CpuMask machine{};  // that somebody has given it on purpose; no bits: the process's
  Root* next = nullptr;     // has the next number; none is taken out
};

// Of which nothing is torn down.
class Roots {
 public:
  static constexpr long kIdle = 5000;  // milliseconds outside of regions, then it is not live
  static constexpr long kNever = std::numeric_limits<long>::max();

  // A thread in a region that is none yet: the lowest number that is free. Null without memory.
  Root* take();
  void give_back(Root& root);
  // In a child of fork(): all but this one, which may be null.
  void give_others_back(const Root* root);

  // Finds out who is live now, as in milliseconds. Returns whether others are than before.
  bool look(long now);
  // When somebody may have been outside of regions for too long. At any time.
  long due() const { return due_.load(std::memory_order_relaxed); }

  // The part of a root that is live. fixed: so many parts; 0: as many as live roots have its mask.
  // whole: the process's mask.
  Share share_of(const Root& root, int fixed, const mask::CpuMask& whole) const;

 private:
  Root* first_ = nullptr;
  std::atomic<long> due_{kNever};
};

}  // namespace nestbind::placement
