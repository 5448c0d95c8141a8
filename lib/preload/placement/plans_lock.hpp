// SPDX-License-Identifier: BSD-3-Clause
// The lock of all plans and places: only the thread that has the lock may change them. fork() takes
// the lock, too, so that the child finds complete plans and places.
#pragma once

#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

// An object of this class holds the lock. The calling thread must be undisturbed. A SIGSEGV handler
// may still interrupt the thread that has the lock. The handler does not wait, and does not get the
// lock. A child that ran no fork handlers does not get a lock that another thread of its parent
// had.
class PlansHeld {
 public:
  PlansHeld();
  ~PlansHeld();
  PlansHeld(const PlansHeld&) = delete;
  PlansHeld& operator=(const PlansHeld&) = delete;

  explicit operator bool() const { return is_ours_; }

 private:
  bool is_ours_;
};

// Like PlansHeld, but also makes the thread undisturbed (no cancellation, no signal handler).
class PlansLocked {
 public:
  explicit operator bool() const { return static_cast<bool>(held_); }

 private:
  support::ErrnoKept errno_kept_;
  process::Undisturbed undisturbed_;
  PlansHeld held_;
};

// Called before fork(), and after it in the parent and in the child. If a signal handler forks on
// the thread that has the lock, the thread keeps the lock in both processes.
void lock_for_fork();
void unlock_behind_fork();

// Called in a child that ran no fork handlers. If another thread of the parent had the lock, the
// child never gets the lock.
void give_up_lost_lock();

}  // namespace nestbind::placement
