// SPDX-License-Identifier: BSD-3-Clause
// The root threads: which one owns the plan, and which ones divide the machine.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <limits>

#include "binding/thread.hpp"
#include "mask/cpu_mask.hpp"
#include "places/place.hpp"

namespace nestbind::placement {

struct Owner {
  std::atomic<const binding::Thread*> thread;  // null if the plan has no owner
  std::atomic<pid_t> id;                       // the kernel's thread id of the latest owner
  std::atomic<pthread_t> handle;
  std::atomic<bool> is_meant;  // the program has set the owner's mask (purpose.hpp)
};
extern constinit Owner g_owner;

inline const binding::Thread* owner() { return g_owner.thread.load(std::memory_order_acquire); }
inline bool is_owner() { return owner() == &binding::t_thread; }

// The calling thread becomes the owner until it ends. Returns false if the plan has an owner.
bool become_owner();
void leave_owner();

// Members that are not atomic are read and written under the lock of plans.
struct Root {
  // The time in ms when the thread's last region ended, or 0 if the thread is in a region. The
  // thread writes this time without the lock.
  std::atomic<long> outside_since{0};
  int number = 0;
  bool is_used = false;
  bool is_live = false;
  bool is_in_tree = false;  // ranks::tree_inside() has counted the present region
  mask::CpuMask own{};      // the thread's own mask, or empty
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

  // True if there is no root, or only `root`.
  bool is_first(const Root* root) const { return first_ == nullptr || first_ == root; }

  // Updates `is_live` of all roots. A root stays live for kIdle after its last region. Returns true
  // if the live roots have changed.
  bool look(long now);
  // Returns the time when look() must be called again. Needs no lock.
  long due() const { return due_.load(std::memory_order_relaxed); }

  // The share of a root without an own mask, if roots of this kind divide `machine`. `fixed` is the
  // number of parts. If `fixed` is 0, each live root gets a part. A root with an own mask shares
  // that mask with the other live roots that have the same mask.
  Share share_of(const Root& root, int fixed, const mask::CpuMask& machine) const;

  // Removes the own masks of live roots from `machine`, unless nothing is left. Returns a mask that
  // stays, or `machine` itself if no root has an own mask.
  mask::CpuMask left_of(const mask::CpuMask& machine) const;

 private:
  Root* first_ = nullptr;
  std::atomic<long> due_{kNever};
};
extern constinit Roots g_roots;

}  // namespace nestbind::placement
