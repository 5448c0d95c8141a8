// SPDX-License-Identifier: BSD-3-Clause
// The root threads: which one owns the plan, which ones divide the machine, and which part each has
// (NESTBIND_ROOTS). Ranks of a node divide first, then the processes of one tree, then the root
// threads of a process. Parts only place teams: they change no size.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <limits>

#include "owner/purpose.hpp"
#include "places/plans.hpp"
#include "ranks/meeting/tree.hpp"

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

// True if all root threads have places for their teams. False if only the owner has them.
bool root_threads_divide();

// True if the thread's part, and what it was told, are still right at a fork outside of regions.
inline bool keeps_part(const binding::Thread& thread) {
  const long due = g_roots.due();
  return thread.division == g_division.load(std::memory_order_acquire) && !is_look_due(thread) &&
         !ranks::tree_has_changed() && (due == Roots::kNever || support::milliseconds_now() < due);
}

// True if, before Thread::next_look, keeps_part() has to look only at the division and at
// ranks::others_came().
inline bool keeps_part_quietly(const binding::Thread& thread) {
  return thread.division == g_division.load(std::memory_order_acquire) &&
         g_roots.due() == Roots::kNever && ranks::is_alone_in_tree();
}

// Finds the part of the calling thread, which is outside of regions. `is_several` is true if it is
// about to fork two or more threads, or a team that the specification binds: then it becomes a root
// thread. If not, it gets the part of the next root thread. Returns false if its teams have no
// places: another thread owns the plan, or there is no memory. After the call, the plan in force
// may be another.
bool take_part(bool is_several);

// Returns the place where the calling thread's outermost teams fork by `whole`, which is a plan for
// the process's present mask. take_part() must have returned true. Returns null if it fails.
const Place* place_in_part(PlanInForce* whole);

// True if the calling thread, which has forked a region of one thread, must become a root thread
// before it forks a larger team there.
inline bool is_not_root_yet(const Place& place) {
  return !place.is_active && binding::t_thread.root == nullptr && root_threads_divide();
}
void become_root_inside();

// Called at the begin and end of a root thread's region.
[[gnu::always_inline]] inline void part_is_used(const binding::Thread& thread) {
  if (thread.root != nullptr && thread.root->outside_since.load(std::memory_order_relaxed) != 0) {
    thread.root->outside_since.store(0, std::memory_order_relaxed);
    thread.root->is_in_tree = ranks::tree_inside();
  }
}
inline void part_is_unused(const binding::Thread& thread) {
  if (thread.root != nullptr) {
    const long now = support::milliseconds_now();
    thread.root->outside_since.store(now, std::memory_order_relaxed);
    if (thread.root->is_in_tree) {
      thread.root->is_in_tree = false;
      ranks::tree_outside(now);
    }
  }
}

// Called when a root thread ends.
void leave_roots();
// Only the calling thread's part and ownership stay. The plan has no owner if this thread was none.
void keep_root_in_child();

}  // namespace nestbind::placement
