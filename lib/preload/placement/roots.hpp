// SPDX-License-Identifier: BSD-3-Clause
// Root threads that divide the machine: which threads are roots, which are live, and which part
// each has. Knows no plan and no clock.
#pragma once

#include <atomic>
#include <limits>

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

struct Share;

// Members that are not atomic are read and written under the lock of plans.
struct Root {
  // Milliseconds at the end of its last region; 0: it is in one. Its thread writes it without lock.
  std::atomic<long> outside_since{0};
  int number = 0;
  bool is_used = false;
  bool is_live = false;     // when look() was called last
  mask::CpuMask machine{};  // the mask that was set on purpose; no bits: the process's
  Root* next = nullptr;     // the root with the next number; no root is removed
};

// Has no destructor: nothing is torn down.
class Roots {
 public:
  static constexpr long kIdle = 5000;  // milliseconds outside of regions; then it is not live
  static constexpr long kNever = std::numeric_limits<long>::max();

  // A new root, with the lowest free number, for a thread in a region. Null without memory.
  Root* take();
  void give_back(Root& root);
  // In a child of fork(): gives back all roots but this one, which may be null.
  void give_others_back(const Root* root);

  // Finds out which roots are live at `now` (milliseconds). Returns whether this has changed.
  bool look(long now);
  // When some root may have been outside of regions for too long. May be called at any time.
  long due() const { return due_.load(std::memory_order_relaxed); }

  // The part of a live root. fixed: the number of parts; 0: one for each live root with this root's
  // mask. whole: the process's mask.
  Share share_of(const Root& root, int fixed, const mask::CpuMask& whole) const;

 private:
  Root* first_ = nullptr;
  std::atomic<long> due_{kNever};
};

}  // namespace nestbind::placement
