// SPDX-License-Identifier: BSD-3-Clause
// The list of root threads that divide the machine.
#pragma once

#include <atomic>
#include <limits>

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

struct Share;

// Members that are not atomic are read and written under the lock of plans.
struct Root {
  // The time in ms when the thread's last region ended, or 0 if the thread is in a region. The
  // thread writes this time without the lock.
  std::atomic<long> outside_since{0};
  int number = 0;
  bool is_used = false;
  bool is_live = false;
  mask::CpuMask machine{};  // the thread's own mask, or empty
  Root* next = nullptr;     // the root with the next number; no root is removed
};

class Roots {
 public:
  static constexpr long kIdle = 5000;  // in milliseconds
  static constexpr long kNever = std::numeric_limits<long>::max();

  // Returns a new root, with the lowest free number, for a thread in a region.
  Root* take();
  void give_back(Root& root);
  // In a child of fork(): gives back all roots except `root`, which may be null.
  void give_others_back(const Root* root);

  // Updates `is_live` of all roots. A root stays live for kIdle after its last region. Returns true
  // if the live roots have changed.
  bool look(long now);
  // Returns the time when look() must be called again. Needs no lock.
  long due() const { return due_.load(std::memory_order_relaxed); }

  // `fixed` is the number of parts. If `fixed` is 0, each live root with this root's mask gets a
  // part.
  Share share_of(const Root& root, int fixed, const mask::CpuMask& whole) const;

 private:
  Root* first_ = nullptr;
  std::atomic<long> due_{kNever};
};

}  // namespace nestbind::placement
