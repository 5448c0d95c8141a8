// SPDX-License-Identifier: BSD-3-Clause
// The lock of all plans and places. Only the thread that has the lock may change plans and places.
// fork() takes the lock, too, so that the child finds complete plans and places.
#pragma once

#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

// The calling thread must be undisturbed. If a SIGSEGV handler interrupts the holder, the handler
// does not get the lock.
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

// Like PlansHeld, but also blocks signals and cancellation (process/undisturbed.hpp).
class PlansLocked {
 public:
  explicit operator bool() const { return static_cast<bool>(held_); }

 private:
  support::ErrnoKept errno_kept_;
  process::Undisturbed undisturbed_;
  PlansHeld held_;
};

// A signal handler of the holder may fork. Then the holder keeps the lock in both processes.
void lock_for_fork();
void unlock_behind_fork();

// If another thread of the parent had the lock, the child never gets the lock.
void give_up_lost_lock();

}  // namespace nestbind::placement
